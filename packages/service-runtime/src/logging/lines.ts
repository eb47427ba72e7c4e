import type { LogFields } from '@platform/kernel';
import { maskText, redact } from './redact.ts';

/** The parts of a log line. */
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

/** Renders a line, without its line break. */
export type Render = (line: Line) => string;

/** Renders one JSON object. Fields cannot overwrite the members of the line itself, such as `target`. */
export const renderJson: Render = ({ timestamp, level, target, message, service, fields }) => {
  const own = { timestamp, level, target, message: maskText(message), service };
  const others = redact(fields) as Record<string, unknown>;
  for (const name in own) if (name in others) delete others[name];
  // Joining two texts is much faster than spreading both objects into one and stringifying that.
  const [head, rest] = [JSON.stringify(own), JSON.stringify(others)];
  return rest === '{}' ? head : `${head.slice(0, -1)},${rest.slice(1)}`;
};

/** Renders a line for people, `12:00:00.000 info  message key=value`. Leaves out fields without a JSON value, as JSON does. */
export const renderText: Render = ({ timestamp, level, target, message, fields }) => {
  const members = Object.entries(redact(fields) as object).flatMap(([key, value]) => {
    const text = renderValue(value);
    return text === undefined ? [] : [`${key}=${text}`];
  });
  const head = `${timestamp.slice(11, 23)} ${level.padEnd(5)}`;
  return escapeControlCharacters(
    [head, ...(target === undefined ? [] : [`[${target}]`]), maskText(message), ...members].join(' '),
  );
};

function renderValue(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}

// Attack: control characters in a request forge log lines, or send commands to the terminal that shows them.
function escapeControlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
