import type { Failure } from './failure.ts';
import { printable } from './output/table.ts';
import type { Terminal } from './terminal.ts';

/** Tells a failure on standard error: one line, with the way out; further faults below. */
export function tell(terminal: Pick<Terminal, 'err'>, failure: Failure, source?: string): void {
  const { message, wayOut, details } = failure;
  const from = source === undefined || message.startsWith(source) ? '' : `${source}: `;
  const way = wayOut === undefined ? '' : `; ${wayOut}`;
  const lines = [`platform: ${from}${message}${way}`, ...details.map((detail) => `  ${detail}`)];
  terminal.err(lines.map((line) => `${printable(line)}\n`).join(''));
}
