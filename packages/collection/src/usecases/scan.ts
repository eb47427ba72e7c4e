import type { Clock } from '@platform/kernel';
import type {
  CollectionStore,
  Tombstone,
  TombstonePosition,
  TombstoneRange,
} from '../ports/collection-store.ts';

/** A scan from the oldest tombstone on rests that many times as long as it took in vain. */
const restFactor = 9;
/** How long a transaction that tombstones may take from its first statement to its commit without a scan from there missing it. */
const overlapMs = 60_000;

const firstUid = '00000000-0000-0000-0000-000000000000';

/**
 * Goes through tombstones in pages by their position, so that however many are stuck at the head, the next page is just as near.
 * - What a wake-up named is found by its timestamp alone.
 * - A poll reads everything from the oldest on, unless that took so long that it is to rest; then what is younger than the last look.
 */
export class Scan {
  readonly #store: CollectionStore;
  readonly #clock: Clock;
  readonly #ranges: TombstoneRange[] = [];
  #youngest: number | null = null;
  #fullAfter = Number.NEGATIVE_INFINITY;
  #full: { spentMs: number } | null = null;

  constructor(store: CollectionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Asks for the tombstones of one moment. */
  at(moment: number): void {
    this.#ranges.push({ after: before(moment), until: moment });
  }

  /** Asks for what a poll looks at; `everything` even when the scan from the oldest on is to rest. */
  poll(everything: boolean): void {
    if (this.#full !== null) return;
    if (everything || this.#clock.now() >= this.#fullAfter) {
      this.#full = { spentMs: 0 };
      this.#ranges.push({ after: null, until: null });
    } else if (this.#youngest !== null) {
      this.#ranges.push({ after: before(this.#youngest - overlapMs), until: null });
    }
  }

  /** The next page; null when everything that was asked for has been read. */
  async nextPage(limit: number): Promise<readonly Tombstone[] | null> {
    const range = this.#ranges.shift();
    if (range === undefined) {
      this.#rest();
      return null;
    }
    const startedAt = this.#clock.now();
    const page = await this.#store.tombstones(range, limit);
    if (this.#full !== null) this.#full.spentMs += this.#clock.now() - startedAt;
    const last = page.at(-1);
    if (last !== undefined && last.since > (this.#youngest ?? Number.NEGATIVE_INFINITY)) {
      this.#youngest = last.since;
    }
    if (last !== undefined && page.length === limit) this.#ranges.unshift({ ...range, after: last });
    return page;
  }

  /** Counts time that was spent on tombstones of the scan and changed nothing towards its rest. */
  charge(milliseconds: number): void {
    if (this.#full !== null) this.#full.spentMs += milliseconds;
  }

  clear(): void {
    this.#ranges.length = 0;
    this.#full = null;
    this.#fullAfter = Number.NEGATIVE_INFINITY;
    this.#youngest = null;
  }

  #rest(): void {
    if (this.#full === null) return;
    this.#fullAfter = this.#clock.now() + this.#full.spentMs * restFactor;
    this.#full = null;
  }
}

function before(moment: number): TombstonePosition {
  return { since: moment, uid: firstUid };
}
