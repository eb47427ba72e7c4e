import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { failureOf } from './failure.ts';
import { buildProgram } from './program.ts';
import { tell } from './tell.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line, without the name of the program, and returns the exit code. Never throws. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const outcome: { code: number } = { code: exitCodes.ok };
  try {
    await buildProgram(terminal, outcome).parseAsync(argv, { from: 'user' });
    return outcome.code;
  } catch (error) {
    // Help and version end this way too; everything else was told already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (terminal.signal.aborted) return exitCodes.interrupted;
    const failure = failureOf(error);
    tell(terminal, failure);
    return exitCodes[failure.exit];
  }
}
