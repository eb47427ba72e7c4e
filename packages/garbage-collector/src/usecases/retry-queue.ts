import type { Clock, RandomBytes } from '@platform/kernel';
import { backOffMs, longestBackOffMs } from '../rules/back-off.ts';

/** Why a row is retried: another transaction had it locked, or the database refused to write it. */
export type RetryReason = 'contended' | 'refused';

interface Retry {
  readonly uid: string;
  readonly reason: RetryReason;
  /** Attempts that failed for this reason in a row. */
  readonly attempts: number;
  readonly retryAt: number;
}

/** Rows in the queue, at most. */
const defaultLimit = 50_000;

const delays = {
  contended: { firstMs: 40, longestMs: 5_000 },
  refused: { firstMs: 1_000, longestMs: longestBackOffMs },
} satisfies Record<RetryReason, unknown>;

/**
 * Rows that could not be collected, each retried with an exponential back-off of its own, so that none delays the others. Bounded: the
 * oldest row leaves a full queue, and the next scan finds it again.
 */
export class RetryQueue {
  readonly #deps: { readonly clock: Clock; readonly random: RandomBytes };
  readonly #limit: number;
  readonly #rows = new Map<string, Retry>();

  constructor(deps: { readonly clock: Clock; readonly random: RandomBytes }, limit = defaultLimit) {
    this.#deps = deps;
    this.#limit = limit;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The earliest moment at which a row is due, in milliseconds of the clock; infinity when there is none. */
  get nextAt(): number {
    let nextAt = Number.POSITIVE_INFINITY;
    for (const { retryAt } of this.#rows.values()) nextAt = Math.min(nextAt, retryAt);
    return nextAt;
  }

  has(uid: string): boolean {
    return this.#rows.has(uid);
  }

  isRefused(uid: string): boolean {
    return this.#rows.get(uid)?.reason === 'refused';
  }

  /** Adds the row, or delays it for longer than the last time. Returns the number of attempts that failed for this reason. */
  addRateLimited(uid: string, reason: RetryReason): number {
    const { clock, random } = this.#deps;
    const before = this.#rows.get(uid);
    const attempts = before?.reason === reason ? before.attempts + 1 : 1;
    const retryAt = clock.now() + backOffMs(attempts, delays[reason], random);
    this.#rows.set(uid, { uid, reason, attempts, retryAt });
    if (this.#rows.size > this.#limit) this.#rows.delete(this.#rows.keys().next().value as string);
    return attempts;
  }

  /** The rows of that reason that are due. They stay in the queue until they are removed or added again. */
  due(reason: RetryReason): readonly Retry[] {
    const now = this.#deps.clock.now();
    return [...this.#rows.values()].filter((row) => row.reason === reason && row.retryAt <= now);
  }

  delete(uid: string): void {
    this.#rows.delete(uid);
  }

  clear(): void {
    this.#rows.clear();
  }
}
