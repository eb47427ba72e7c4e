import { InvalidArgumentError, Option } from 'commander';
import type { Inventory } from '../relations/inventory.ts';
import type { Workbench } from './command.ts';

/** The option of commands that look for what hangs on a resource. */
export function scanLimit(): Option {
  return new Option('--scan-limit <count>', 'look for dependents among at most so many resources')
    .argParser(readCount)
    .default(5_000);
}

/** A whole number from 1 on. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 on.');
  return Number(text);
}

/** A time in seconds, 0 and parts of one included. */
export function readSeconds(text: string): number {
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('must be a number of seconds.');
  return Number(text);
}

/** Says so when not everything was looked at. */
export function truncationNote(bench: Workbench, { truncated }: Inventory): void {
  if (truncated) bench.err('Not every resource was looked at; --scan-limit looks at more.\n');
}
