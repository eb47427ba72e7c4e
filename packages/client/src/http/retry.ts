import type { PlatformError } from './platform-error.ts';

/** When and how often a request is sent again. */
export interface RetryPolicy {
  /** How often a request is sent at most. */
  readonly attempts: number;
  /** The longest wait before the second attempt, in milliseconds; doubled with each one. */
  readonly baseMs: number;
  /** No wait is longer. Who is told by `Retry-After` to wait longer gives up at once. */
  readonly capMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 5, baseMs: 200, capMs: 30_000 };

/**
 * How long to wait before a request that has failed `failures` times is sent again; null when it is not. Only 429 and 503
 * are worth it: both say that nothing was done. `random` is from 0 to 1; the wait is jittered so that clients that failed
 * together do not come back together.
 */
export function retryDelay(
  error: PlatformError,
  failures: number,
  { attempts, baseMs, capMs }: RetryPolicy,
  random: number,
): number | null {
  if ((error.status !== 429 && error.status !== 503) || failures >= attempts) return null;
  const jitter = random * Math.min(capMs, baseMs * 2 ** (failures - 1));
  if (error.retryAfterSeconds === undefined) return Math.ceil(jitter);
  const asked = error.retryAfterSeconds * 1000;
  return asked > capMs ? null : Math.ceil(asked + jitter);
}
