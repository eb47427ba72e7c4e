import type { LogFields } from '@platform/kernel';
import { maskText, redact } from './redact.ts';

/** What a line is made of. */
export interface Line {
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly level: string;
  /** E.g. `platform::audit`; absent on ordinary lines. */
  readonly target?: string;
  readonly message: string;
  readonly service?: string;
  readonly fields: LogFields;
}

/** Writes a line, without its line break. */
export type Render = (line: Line) => string;

/** One JSON object. A field named like a member of the line itself, such as `target`, does not displace it. */
export const renderJson: Render = ({ timestamp, level, target, message, service, fields }) => {
  const own = { timestamp, level, target, message: maskText(message), service };
  const others = redact(fields) as Record<string, unknown>;
  for (const name in own) if (name in others) delete others[name];
  // Two texts put together: objects spread into one became a slow one, and a record of a cascade took 14 µs instead of 6.
  const [head, rest] = [JSON.stringify(own), JSON.stringify(others)];
  return rest === '{}' ? head : `${head.slice(0, -1)},${rest.slice(1)}`;
};

/** For people: `12:00:00.000 info  message key=value`. */
export const renderText: Render = ({ timestamp, level, target, message, fields }) => {
  const members = Object.entries(redact(fields) as object).map(([key, value]) => `${key}=${shown(value)}`);
  const head = `${timestamp.slice(11, 23)} ${level.padEnd(5)}`;
  return printable(
    [head, ...(target === undefined ? [] : [`[${target}]`]), maskText(message), ...members].join(' '),
  );
};

function shown(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value)
    ? value
    : (JSON.stringify(value) ?? 'undefined');
}

// Control characters from a request could forge lines or steer the terminal that shows them.
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
