import type { Clock } from '@platform/kernel';
import type {
  GarbageCollectorStore,
  Tombstone,
  TombstonePosition,
  TombstoneRange,
} from '../ports/garbage-collector-store.ts';

/** After a full scan, the next one starts no earlier than this many times the time that the scan spent in vain. */
const restFactor = 9;
/** The longest time from the timestamp of a tombstone to its commit that a partial scan covers. */
const overlapMs = 60_000;

const firstUid = '00000000-0000-0000-0000-000000000000';

/**
 * Reads tombstones in pages by position, so that reaching the next page costs the same however many stuck ones precede it.
 * - Tombstones named by a wake-up are found by their timestamp.
 * - A poll scans from the oldest one on. While a full scan rests, a poll reads only those younger than the youngest one seen.
 */
export class TombstoneScan {
  readonly #store: GarbageCollectorStore;
  readonly #clock: Clock;
  readonly #ranges: TombstoneRange[] = [];
  #youngest: number | null = null;
  #fullAfter = Number.NEGATIVE_INFINITY;
  #full: { spentMs: number } | null = null;

  constructor(store: GarbageCollectorStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Requests the tombstones with this timestamp. */
  at(moment: number): void {
    this.#ranges.push({ after: before(moment), until: moment });
  }

  /** Requests a poll; with `everything` a full scan even while it rests. */
  poll(everything: boolean): void {
    if (this.#full !== null) return;
    if (everything || this.#clock.now() >= this.#fullAfter) {
      this.#full = { spentMs: 0 };
      this.#ranges.push({ after: null, until: null });
    } else if (this.#youngest !== null) {
      this.#ranges.push({ after: before(this.#youngest - overlapMs), until: null });
    }
  }

  /** The next page; null when everything requested has been read. */
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

  /** Adds time that was spent on tombstones of a full scan without a write; the scan rests longer for it. */
  addIdleTime(milliseconds: number): void {
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
