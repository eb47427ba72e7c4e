import { type CollectorPause, pauseCommands, runPauseCommand } from '@platform/garbage-collector';

/** Where a command writes. */
interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * Pauses or resumes every collector of the database, or tells how it stands. The switch is a column of the lease: it outlives
 * processes, and every batch looks at it. Resolves with the exit code: 0 done, 2 not understood or the database was not reached.
 */
export async function runSwitch(
  collector: CollectorPause,
  args: readonly string[],
  { stdout, stderr }: Streams,
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
    stderr.write(`the collector's switch was not reached: ${(error as Error).message}\n`);
    return 2;
  }
}
