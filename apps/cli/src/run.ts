import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { Failure, printFailure } from './failure.ts';
import { failureOf } from './failure-of.ts';
import { findPlugIn } from './plug-ins.ts';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line, given without the program name, and returns the exit code. Never throws. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const outcome: { code: number; credential?: string } = { code: exitCodes.ok };
  try {
    const program = buildProgram(terminal, outcome);
    const [word = ''] = argv;
    const isCommand = word === 'help' || program.commands.some((command) => command.name() === word);
    const plugIn = isCommand ? undefined : findPlugIn(word, terminal);
    if (plugIn !== undefined) return await terminal.spawn([plugIn, ...argv.slice(1)], terminal.env);
    await program.parseAsync(argv, { from: 'user' });
    return outcome.code;
  } catch (error) {
    // Commander throws after --help and --version too. It has printed usage errors already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { signal } = terminal;
    // After Ctrl-C only a Failure with news is printed, such as a deletion that continues on the server.
    const hasNews = error instanceof Failure && error !== signal.reason;
    if (signal.aborted && !hasNews) return exitCodes.interrupted;
    const failure = failureOf(error, outcome.credential);
    printFailure(terminal, failure);
    return exitCodes[failure.exit];
  }
}
