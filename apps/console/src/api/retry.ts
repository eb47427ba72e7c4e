import { RequestError } from './http.ts';

/** Nobody waits longer in front of a page for an answer that may come. */
const mostReadMs = 10_000;

/** For queries. A refused read would be refused again: only what has not happened is repeated, and only where the wait is short. */
export function isRepeated(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  if (!(error instanceof RequestError)) return true;
  return [0, 429, 503].includes(error.status) && error.retryAfterMs <= mostReadMs;
}

/** Milliseconds before a read is repeated: as long as the answer has asked for, and longer after each failure. */
export function repeatDelay(failures: number, error: Error): number {
  return (error instanceof RequestError ? error.retryAfterMs : 0) + 1_000 * 2 ** failures;
}
