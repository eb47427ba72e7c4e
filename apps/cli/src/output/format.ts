import { InvalidArgumentError, Option } from 'commander';

const outputs = ['table', 'wide', 'yaml', 'json', 'name'] as const;

/** The output formats of `get`. */
export type Output = (typeof outputs)[number];

/** The option `--output`. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'output format').choices(outputs).default('table');
}

/** A column that the user asked for. */
export interface CustomColumn {
  readonly heading: string;
  readonly path: string;
}

/** A format of `get`: also a JSONPath template, or columns of the user. */
export type GetOutput =
  | Output
  | { readonly template: string }
  | { readonly columns: readonly CustomColumn[] };

/** The option `--output` of `get`. */
export function getOutputOption(): Option {
  const formats = [...outputs, 'jsonpath=<template>', 'custom-columns=<heading>:<path>,...'];
  return new Option(
    '-o, --output <format>',
    'output format; or jsonpath=<template>, or custom-columns=<heading>:<path>,...',
  )
    .choices(outputs)
    .default('table')
    .argParser((text): GetOutput => {
      if (text.startsWith('jsonpath=')) return { template: text.slice('jsonpath='.length) };
      if (text.startsWith('custom-columns='))
        return { columns: readColumns(text.slice('custom-columns='.length)) };
      const output = outputs.find((each) => each === text);
      if (output !== undefined) return output;
      throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`);
    });
}

function readColumns(text: string): readonly CustomColumn[] {
  return text.split(',').map((part) => {
    const [, heading, path] = /^([^:]+):(.+)$/.exec(part) ?? [];
    if (heading === undefined || path === undefined)
      throw new InvalidArgumentError(`Expected <heading>:<path>, such as NAME:.metadata.name, not ${part}.`);
    return { heading, path };
  });
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** The age of a time (RFC 3339) in one unit: `5s`, `12m`, `3h`, `40d`. */
export function ageOf(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  for (const [unit, size] of units) {
    if (seconds >= 2 * size) return `${Math.floor(seconds / size)}${unit}`;
  }
  return `${seconds}s`;
}

/** Attack: a name or an annotation contains escape sequences that change the terminal. Control characters are replaced. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/**
 * Attack: `-o yaml`, `--jq` or the text of an error shows what somebody else has written, with escape sequences that change the terminal. All
 * control characters but line breaks and tabs are replaced; sequences that only set a color stay, because commands use them.
 */
export function terminalText(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
    /\u001b(?!\[[\d;]*m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    '\ufffd',
  );
}
