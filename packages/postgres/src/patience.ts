import type { DatabaseOptions } from './database.ts';
import { Gate } from './gate.ts';
import { retrying } from './retry.ts';

/** Whether a statement waits for locks, or leaves out the rows that it cannot lock at once. */
export type LockWaitPolicy = 'wait' | 'skip';

/** Runs work that may wait for the locks of others, again when it was in vain; see {@link retrying}. */
export type Patience = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Leaves half of the connections, of a pool of two or more, to what never waits for a lock: reads, and writes that are committed together. Whoever waits for a lock
 * holds a connection meanwhile, so a hot row, or a parent with a hundred thousand children that is being deleted, would otherwise
 * stop everything else for as long as it is locked. The others wait here, first come, first served.
 */
export function createPatience({
  poolMax = 10,
  statementTimeoutMs = 30_000,
}: Pick<DatabaseOptions, 'poolMax' | 'statementTimeoutMs'>): Patience {
  const gate = new Gate({
    permits: Math.max(1, Math.floor(poolMax / 2)),
    maxWaiting: 10_000,
    maxWaitMs: statementTimeoutMs,
  });
  return (work) =>
    retrying(async () => {
      if (!gate.tryEnter()) await gate.enter();
      try {
        return await work();
      } finally {
        gate.leave();
      }
    });
}
