import { type CollectorPause, pauseCommands, runPauseCommand } from '@platform/garbage-collector';
import { type CommandOutput, runCommand } from './command.ts';

/**
 * Pauses or resumes the collectors of the database, or prints the state. The pause is a column of the lease: it survives restarts, and every
 * batch reads it. Resolves with the exit code: 0 done, 2 wrong usage or a failure of the database.
 */
export async function runSwitch(
  collector: CollectorPause,
  args: readonly string[],
  output: CommandOutput,
): Promise<number> {
  const [word = 'state', ...rest] = args;
  const verb = pauseCommands.find((each) => each === word);
  if (rest.length > 0 || verb === undefined) {
    output.stderr.write('usage: switch [pause | resume | state]\n');
    return 2;
  }
  return await runCommand(output, async () => {
    output.stdout.write(`${await runPauseCommand(collector, verb)}\n`);
    return 0;
  });
}
