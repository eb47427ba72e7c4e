import { InvalidArgumentError, Option } from 'commander';

/** The option `--in`, for commands that take a target. */
export function withinOption(): Option {
  return new Option('-i, --in <names>', 'names of the ancestors, root first: blog/news');
}

/** The option `--jq`. */
export function jqOption(): Option {
  return new Option(
    '--jq <filter>',
    'print what this filter of jq makes of the JSON; strings without quotes',
  );
}

/** The option `--field-manager`, for server-side applies. */
export function fieldManagerOption(): Option {
  return new Option('--field-manager <name>', 'the writer of a server-side apply').default('platform-cli');
}

/** Parses a positive whole number. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a positive whole number.');
  return Number(text);
}

const secondsIn = { s: 1, m: 60, h: 3_600 } as const;

/** Parses a time to wait: a number of seconds, or one with a unit as of kubectl (`90s`, `5m`, `1h`). Returns seconds. */
export function readWait(text: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,9}(?:\.\d+)?)([smh])?$/.exec(text) ?? [];
  if (number === '')
    throw new InvalidArgumentError('expected seconds, or a number with s, m or h, such as 5m.');
  return Number(number) * secondsIn[unit as keyof typeof secondsIn];
}

/** Parses a number of seconds, which may be 0 or have a fraction. */
export function readSeconds(text: string): number {
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('expected a number of seconds.');
  return Number(text);
}
