import type { CollectorSwitch } from '@platform/collection';

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
  collector: CollectorSwitch,
  args: readonly string[],
  { stdout, stderr }: Streams,
): Promise<number> {
  const [verb = 'state', ...rest] = args;
  if (rest.length > 0 || !['pause', 'resume', 'state'].includes(verb)) {
    stderr.write('usage: switch [pause | resume | state]\n');
    return 2;
  }
  try {
    if (verb === 'pause') await collector.pause();
    if (verb === 'resume') await collector.resume();
    const { pausedSince, leader } = await collector.state();
    stdout.write(pausedSince === null ? 'running' : `paused since ${pausedSince}`);
    stdout.write(`, leader: ${leader ?? 'none'}\n`);
    return 0;
  } catch (error) {
    stderr.write(`the collector's switch was not reached: ${(error as Error).message}\n`);
    return 2;
  }
}
