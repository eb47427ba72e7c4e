import { InvalidArgumentError, Option } from 'commander';

const outputs = ['table', 'wide', 'yaml', 'json', 'name'] as const;

/** The output formats of `get`. */
export type Output = (typeof outputs)[number];

/** The option `--output`. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'output format').choices(outputs).default('table');
}

/** A format of `get`: also a JSONPath template. */
export type GetOutput = Output | { readonly template: string };

/** The option `--output` of `get`. */
export function getOutputOption(): Option {
  const formats = [...outputs, 'jsonpath=<template>'];
  return new Option('-o, --output <format>', 'output format; or jsonpath=<template>')
    .choices(outputs)
    .default('table')
    .argParser((text): GetOutput => {
      if (text.startsWith('jsonpath=')) return { template: text.slice('jsonpath='.length) };
      const output = outputs.find((each) => each === text);
      if (output !== undefined) return output;
      throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`);
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
