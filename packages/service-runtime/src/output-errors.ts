import type { Writable } from 'node:stream';

/** The part of `process` that writes and exits. */
export interface OutputProcess {
  readonly stdout: Pick<Writable, 'on'>;
  readonly stderr: Pick<Writable, 'on' | 'write'>;
  exit(code: number): unknown;
}

/**
 * Handles output of a command that cannot be written; otherwise it ends the process with a stack trace. A closed pipe, as of `head`, changes
 * neither the work nor its exit code. Any other fault, such as a full disk, is reported and ends the process with `exitCode`.
 */
export function handleOutputErrors(exitCode: number, output: OutputProcess = process): void {
  output.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    output.stderr.write(`the output cannot be written: ${message}\n`);
    output.exit(exitCode);
  });
  output.stderr.on('error', () => undefined);
}
