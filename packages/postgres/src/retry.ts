import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, Contention, monotonicClock } from '@platform/kernel';
import { isRetryable, sqlState, stateOf } from './sqlstate.ts';

/** Whether a statement waits for row locks, or leaves out the rows that are locked. */
export type LockWaitPolicy = 'wait' | 'skip';

/** Runs of one unit of work, the first included. */
const maxAttempts = 6;
/** Attempts begin at 1, so the first pause is up to twice this long. */
const pause = { firstMs: 5, longestMs: 1_000 };

/** The longest pause after a deadlock, and the longest wait for the turn of another unit of work. */
const longestMs = 2_000;

/**
 * Runs `work` again after a deadlock, a serialization failure or a lock that `NOWAIT` found taken, with exponential backoff and a random part,
 * so that two transactions do not meet again. Not after a lock timeout: it has used up half of the time that a write has.
 * After a deadlock, the other transaction needs about as long to end as this one has run, and works run again one at a time: those that lock
 * many rows in opposite orders, such as batches, would end each other until no attempt is left.
 * @throws Contention after the last attempt; any other error as it is.
 */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  let run = work;
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = monotonicClock.now();
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt === maxAttempts) {
        throw new Contention('Too many changes to the same resources at once; try again.', error);
      }
      const isDeadlock = stateOf(error) === sqlState.deadlockDetected;
      const ranMs = isDeadlock ? Math.min(monotonicClock.now() - startedAt, longestMs) : 0;
      await sleep(Math.max((ranMs * (1 + Math.random())) / 2, Math.random() * backoff(attempt, pause)));
      run = isDeadlock ? () => inTurn(work) : work;
    }
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/** Runs `work` after those that were given a turn before, or after a while: one of them may be waiting for this work. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const before = lastTurn;
  let end = () => {};
  lastTurn = new Promise((resolve) => {
    end = resolve;
  });
  try {
    await Promise.race([before, sleep(longestMs, undefined, { ref: false })]);
    return await work();
  } finally {
    end();
  }
}
