import { RequestError } from './http.ts';

/** The longest wait before a read is retried: nobody waits longer in front of a page. */
const longestWaitMs = 10_000;

/** Whether a failed read is retried: only where the platform has not answered it, and the wait is short. A refused read would be refused again. */
export function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  if (!(error instanceof RequestError)) return true;
  return [0, 429, 503].includes(error.status) && error.retryAfterMs <= longestWaitMs;
}

/** Milliseconds before a read is retried: as long as the answer has asked for, and longer after each failure. */
export function retryDelay(failures: number, error: Error): number {
  return (error instanceof RequestError ? error.retryAfterMs : 0) + 1_000 * 2 ** failures;
}
