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
 * - A full scan begins where the last one found its oldest tombstone: before that are the index entries of rows that were removed, which
 *   PostgreSQL keeps while a snapshot needs them, as that of a dump. Requests for everything, and the first scan, begin at the beginning.
 */
export class TombstoneScan {
  readonly #store: GarbageCollectorStore;
  readonly #clock: Clock;
  readonly #ranges: TombstoneRange[] = [];
  #youngest: number | null = null;
  #oldest: number | null = null;
  #fullAfter = Number.NEGATIVE_INFINITY;
  #full: { spentMs: number; oldest: number | null } | null = null;

  constructor(store: GarbageCollectorStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The time of the oldest known tombstone, less the minute that a commit may take, in milliseconds; null before the first full scan. */
  get oldest(): number | null {
    return this.#oldest === null ? null : this.#oldest - overlapMs;
  }

  /** Requests the tombstones with this timestamp. */
  at(moment: number): void {
    this.#ranges.push({ after: before(moment), until: moment });
  }

  /** Requests a poll; with `everything` a full scan even while it rests. */
  poll(everything: boolean): void {
    if (this.#full !== null) return;
    if (everything || this.#clock.now() >= this.#fullAfter) {
      this.#full = { spentMs: 0, oldest: null };
      const from = everything ? null : this.oldest;
      this.#ranges.push({ after: from === null ? null : before(from), until: null });
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
    if (this.#full !== null) {
      this.#full.spentMs += this.#clock.now() - startedAt;
      const [first] = page;
      if (first !== undefined) this.#full.oldest = Math.min(this.#full.oldest ?? first.since, first.since);
    }
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
    this.#oldest = null;
  }

  #rest(): void {
    if (this.#full === null) return;
    this.#fullAfter = this.#clock.now() + this.#full.spentMs * restFactor;
    this.#oldest = this.#full.oldest ?? this.#youngest;
    this.#full = null;
  }
}

function before(moment: number): TombstonePosition {
  return { since: moment, uid: firstUid };
}
