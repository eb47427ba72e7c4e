import type { Clock, RandomBytes } from '@platform/kernel';
import { backOffMs, longestBackOffMs } from '../rules/back-off.ts';

/** Why a row is set aside: somebody else had it locked, or the database refused to write it. */
export type ParkingReason = 'contended' | 'refused';

interface Parked {
  readonly reason: ParkingReason;
  readonly attempts: number;
  readonly retryAt: number;
}

const pauses: Record<ParkingReason, { readonly firstMs: number; readonly longestMs: number }> = {
  contended: { firstMs: 40, longestMs: 5_000 },
  refused: { firstMs: 1_000, longestMs: longestBackOffMs },
};

/** Rows that could not be examined, each with a back-off of its own, so that it holds nobody else up. Bounded: the scan finds the rest again. */
export class Parking {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  readonly #rows = new Map<string, Parked>();

  constructor(limit: number, { clock, random }: { readonly clock: Clock; readonly random: RandomBytes }) {
    this.#limit = limit;
    this.#clock = clock;
    this.#random = random;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** When the next row is due, in milliseconds since the Unix epoch; null when there is none. */
  get nextAt(): number | null {
    let next: number | null = null;
    for (const { retryAt } of this.#rows.values()) if (next === null || retryAt < next) next = retryAt;
    return next;
  }

  has(uid: string): boolean {
    return this.#rows.has(uid);
  }

  isRefused(uid: string): boolean {
    return this.#rows.get(uid)?.reason === 'refused';
  }

  /** Sets the row aside for longer than the last time; returns how often that has been. */
  park(uid: string, reason: ParkingReason): number {
    const before = this.#rows.get(uid);
    const attempts = before?.reason === reason ? before.attempts + 1 : 1;
    if (before === undefined && this.#rows.size >= this.#limit) return attempts;
    const { firstMs, longestMs } = pauses[reason];
    const delay = Math.min(longestMs, backOffMs(attempts, firstMs, this.#random));
    this.#rows.set(uid, { reason, attempts, retryAt: this.#clock.now() + delay });
    return attempts;
  }

  /** The rows whose time has come. They stay parked until they are released or parked again. */
  due(): readonly { readonly uid: string; readonly reason: ParkingReason; readonly attempts: number }[] {
    const now = this.#clock.now();
    return [...this.#rows].flatMap(([uid, { reason, attempts, retryAt }]) =>
      retryAt <= now ? [{ uid, reason, attempts }] : [],
    );
  }

  release(uid: string): void {
    this.#rows.delete(uid);
  }

  clear(): void {
    this.#rows.clear();
  }
}
