import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, Contention } from '@platform/kernel';
import { isRetryable } from './sqlstate.ts';

/** Whether a statement waits for row locks, or leaves out the rows that are locked. */
export type LockWaitPolicy = 'wait' | 'skip';

/** Runs of one unit of work, the first included. */
const maxAttempts = 6;
/** Attempts begin at 1, so the first pause is up to twice this long. */
const pause = { firstMs: 5, longestMs: 1_000 };

/**
 * Runs `work` again after a deadlock, a serialization failure or a lock that `NOWAIT` found taken, with exponential backoff and a random part,
 * so that two transactions do not meet again. Not after a lock timeout: it has used up half of the time that a write has.
 * @throws Contention after the last attempt; any other error as it is.
 */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt === maxAttempts) {
        throw new Contention('Too many changes to the same resources at once; try again.', error);
      }
      await sleep(Math.random() * backoff(attempt, pause));
    }
  }
}
