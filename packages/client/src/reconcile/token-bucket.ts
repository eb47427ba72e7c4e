import type { Timers } from '../timers.ts';

/** How often a queue lets keys that failed through, all of them together. */
export interface RateLimit {
  /** Retries a second, in the long run. */
  readonly perSecond: number;
  /** Retries that do not wait, after a time without any. */
  readonly burst: number;
}

/** The limit of the controllers of Kubernetes' client-go. */
export const defaultRateLimit: RateLimit = { perSecond: 10, burst: 100 };

/** Hands out tokens at a steady rate. It holds some of them for a burst, and lends those that it does not have yet. */
export class TokenBucket {
  readonly #limit: RateLimit;
  readonly #timers: Timers;
  #tokens: number;
  #filledAt: number;

  /** Throws a TypeError when the limit would let nothing through. */
  constructor(limit: RateLimit, timers: Timers) {
    const { perSecond, burst } = limit;
    if (!(perSecond > 0) || !(burst >= 1)) {
      throw new TypeError(
        `rateLimit needs perSecond above 0 and a burst of at least 1, not ${perSecond} and ${burst}`,
      );
    }
    this.#limit = limit;
    this.#timers = timers;
    this.#tokens = burst;
    this.#filledAt = timers.now();
  }

  /** Takes the next token. Returns the milliseconds until it is there. */
  take(): number {
    const { perSecond, burst } = this.#limit;
    if (perSecond === Number.POSITIVE_INFINITY) return 0;
    const now = this.#timers.now();
    // A clock that is set back fills nothing, and takes nothing away.
    const filled = (Math.max(0, now - this.#filledAt) / 1_000) * perSecond;
    this.#tokens = Math.min(burst, this.#tokens + filled) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / perSecond) * 1_000);
  }
}
