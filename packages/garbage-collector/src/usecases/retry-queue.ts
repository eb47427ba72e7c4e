import type { Clock, RandomBytes } from '@platform/kernel';
import { backOffMs, longestBackOffMs } from '../rules/back-off.ts';

/** Why a row is retried: another transaction had it locked, or the database refused to write it. */
export type RetryReason = 'contended' | 'refused';

/** A row that is due for another attempt. */
export interface DueRetry {
  readonly uid: string;
  readonly reason: RetryReason;
  /** Attempts that failed for this reason in a row. */
  readonly attempts: number;
}

const delays: Record<RetryReason, { readonly firstMs: number; readonly longestMs: number }> = {
  contended: { firstMs: 40, longestMs: 5_000 },
  refused: { firstMs: 1_000, longestMs: longestBackOffMs },
};

/**
 * Rows that could not be collected, each retried with an exponential back-off of its own, so that none delays the others. Bounded: a row
 * that finds the queue full is not added, and the next scan finds it again.
 */
export class RetryQueue {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  readonly #rows = new Map<string, DueRetry & { readonly retryAt: number }>();
  /** The earliest `retryAt`; undefined until it is asked for. */
  #nextAt: number | undefined;

  constructor(limit: number, { clock, random }: { readonly clock: Clock; readonly random: RandomBytes }) {
    this.#limit = limit;
    this.#clock = clock;
    this.#random = random;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The earliest moment at which a row may be due, in milliseconds of the clock; null when there is none. */
  get nextAt(): number | null {
    if (this.#rows.size === 0) return null;
    if (this.#nextAt === undefined) {
      this.#nextAt = Number.POSITIVE_INFINITY;
      for (const { retryAt } of this.#rows.values()) this.#nextAt = Math.min(this.#nextAt, retryAt);
    }
    return this.#nextAt;
  }

  has(uid: string): boolean {
    return this.#rows.has(uid);
  }

  isRefused(uid: string): boolean {
    return this.#rows.get(uid)?.reason === 'refused';
  }

  /** Adds the row, or delays it for longer than the last time. Returns the number of attempts that failed for this reason. */
  addRateLimited(uid: string, reason: RetryReason): number {
    const before = this.#rows.get(uid);
    const attempts = before?.reason === reason ? before.attempts + 1 : 1;
    if (before === undefined && this.#rows.size >= this.#limit) return attempts;
    const { firstMs, longestMs } = delays[reason];
    const retryAt = this.#clock.now() + Math.min(longestMs, backOffMs(attempts, firstMs, this.#random));
    this.#rows.set(uid, { uid, reason, attempts, retryAt });
    this.#nextAt = undefined;
    return attempts;
  }

  /** At most `limit` rows of that reason that are due. They stay in the queue until they are removed or added again. */
  due(reason: RetryReason, limit: number): readonly DueRetry[] {
    const now = this.#clock.now();
    const due: DueRetry[] = [];
    for (const row of this.#rows.values()) {
      if (due.length >= limit) break;
      if (row.reason === reason && row.retryAt <= now) due.push(row);
    }
    return due;
  }

  delete(uid: string): void {
    if (this.#rows.delete(uid)) this.#nextAt = undefined;
  }

  clear(): void {
    this.#rows.clear();
  }
}
