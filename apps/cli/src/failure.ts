import type { Exit } from './exit-codes.ts';
import { printable } from './output/format.ts';
import type { Terminal } from './terminal.ts';

/** An error that is shown to the user in one line, with a hint where there is one. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: Exit;
  /** The next step for the user: a command, or a few words. */
  readonly hint: string | undefined;
  /** Further lines, such as every invalid field of a document. */
  readonly details: readonly string[];

  constructor(exit: Exit, message: string, hint?: string, details: readonly string[] = []) {
    super(message);
    this.exit = exit;
    this.hint = hint;
    this.details = details;
  }
}

/** Prints a failure on standard error: `platform: <source>: <message>; <hint>`, then the details. */
export function printFailure(terminal: Pick<Terminal, 'err'>, failure: Failure, source?: string): void {
  const { message, hint, details } = failure;
  const prefix = source === undefined || message.startsWith(source) ? '' : `${source}: `;
  const suffix = hint === undefined ? '' : `; ${hint}`;
  const lines = [`platform: ${prefix}${message}${suffix}`, ...details.map((detail) => `  ${detail}`)];
  terminal.err(lines.map((line) => `${printable(line)}\n`).join(''));
}
