import { type CollectorPause, pauseCommands, runPauseCommand } from '@platform/garbage-collector';
import { explainError } from '@platform/kernel';
import type { CommandOutput } from './command-output.ts';

/**
 * Pauses or resumes the collectors of the database, or prints the state. The pause is a column of the lease: it survives restarts, and every
 * batch reads it. Resolves with the exit code: 0 done, 2 wrong usage or a failure of the database.
 */
export async function runSwitch(
  collector: CollectorPause,
  args: readonly string[],
  { stdout, stderr }: CommandOutput,
): Promise<number> {
  const [word = 'state', ...rest] = args;
  const verb = pauseCommands.find((each) => each === word);
  if (rest.length > 0 || verb === undefined) {
    stderr.write('usage: switch [pause | resume | state]\n');
    return 2;
  }
  try {
    stdout.write(`${await runPauseCommand(collector, verb)}\n`);
    return 0;
  } catch (error) {
    stderr.write(`${explainError(error as Error)}\n`);
    return 2;
  }
}
