/** Returns the current time. The domain never reads the system clock; tests pass a clock that they control. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock for intervals. It never goes back or jumps when the clock of the machine is changed; its zero is arbitrary. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** The range of an exponential backoff, in milliseconds. */
interface BackoffRange {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * The delay after a failed attempt, in milliseconds: `firstMs` after attempt 0, doubled after each further attempt, at most
 * `longestMs`. Callers that must not retry at the same time multiply it by a random number.
 */
export function backoff(attempt: number, { firstMs, longestMs }: BackoffRange): number {
  return Math.min(longestMs, firstMs * 2 ** Math.max(0, attempt));
}
