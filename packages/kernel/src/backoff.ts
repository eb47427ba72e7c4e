/** The bounds of an exponential backoff, in milliseconds. */
export interface BackoffBounds {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to wait after a failed attempt, in milliseconds: `firstMs` after attempt 0, twice as long after each further one, at
 * most `longestMs`. Callers that must not come back together multiply it by a random number.
 */
export function backoff(attempt: number, { firstMs, longestMs }: BackoffBounds): number {
  return Math.min(longestMs, firstMs * 2 ** Math.max(0, attempt));
}
