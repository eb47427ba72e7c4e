import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { Failure, failureOf } from './failure.ts';
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
    const { signal } = terminal;
    // Whatever broke off because of a Ctrl-C needs no word, unless a command has left something to know.
    const isNews = error instanceof Failure && error !== signal.reason;
    if (signal.aborted && !isNews) return exitCodes.interrupted;
    const failure = failureOf(error);
    tell(terminal, failure);
    return exitCodes[failure.exit];
  }
}
