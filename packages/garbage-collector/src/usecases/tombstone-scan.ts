import type { Clock } from '@platform/kernel';
import { nilUid } from '@platform/resources';
import type {
  GarbageCollectorStore,
  Tombstone,
  TombstonePosition,
  TombstoneRange,
} from '../ports/garbage-collector-store.ts';

/** How long a full scan rests, as a multiple of the time in which it found nothing to collect. */
const restFactor = 9;
/** The longest time from the timestamp of a tombstone to its commit that a partial scan covers. */
const overlapMs = 60_000;
/** Timestamps that wake-ups name, and rows, at most; with more, scanning everything is cheaper. */
export const wokenLimit = 10_000;

/** A full scan in progress. */
interface FullScan {
  /** Milliseconds in which nothing was written. */
  idleMs: number;
  oldest: number | null;
  /** When its last page was requested, and how many rows the run had written then. */
  lastPage: { readonly at: number; readonly written: number } | null;
}

/**
 * Reads tombstones in pages by position (keyset pagination), so that stuck ones do not slow down the pages after them.
 * - Tombstones named by a wake-up are found by their timestamp, before all others.
 * - A poll scans from the oldest one on. While a full scan rests, a poll reads only those younger than the youngest one seen.
 * - A full scan begins where the last one found its oldest tombstone: before it are dead index entries, which PostgreSQL keeps while an old
 *   snapshot needs them. Only a scan of everything begins at the beginning.
 */
export class TombstoneScan {
  readonly #store: Pick<GarbageCollectorStore, 'tombstones'>;
  readonly #clock: Clock;
  /** The ranges that wake-ups named, and that are still to be read. */
  #woken: TombstoneRange[] = [];
  /** The rest of the poll in progress. */
  #poll: TombstoneRange | null = null;
  /** Null in a partial scan. */
  #full: FullScan | null = null;
  #fullAfter = 0;
  #youngest: number | null = null;
  #oldest: number | null = null;

  constructor(store: Pick<GarbageCollectorStore, 'tombstones'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Whether everything requested has been read. */
  get empty(): boolean {
    return this.#woken.length === 0 && this.#poll === null;
  }

  /** No tombstone is older than this, in milliseconds since the Unix epoch: a commit may be later than its timestamp. Null before the first full scan. */
  get oldest(): number | null {
    return this.#oldest === null ? null : this.#oldest - overlapMs;
  }

  /** Requests the tombstones with this timestamp. */
  at(moment: number): void {
    if (this.#woken.length >= wokenLimit) this.everything();
    else this.#woken.push({ after: before(moment), until: moment });
  }

  /** Requests a full scan, or while it rests a partial one. */
  poll(): void {
    if (this.#poll !== null || this.#full !== null) return;
    if (this.#clock.now() >= this.#fullAfter) this.#startFullScan(this.oldest);
    else if (this.#youngest !== null) {
      this.#poll = { after: before(this.#youngest - overlapMs), until: null };
    }
  }

  /** Requests a full scan from the beginning, even while it rests or another one is in progress. */
  everything(): void {
    this.#woken = [];
    this.#startFullScan(null);
  }

  /** The next page; null when everything requested has been read. `written` is the number of rows that the run has written. */
  async nextPage(limit: number, written: number): Promise<readonly Tombstone[] | null> {
    this.#addIdleTime(written);
    const woken = this.#woken.shift();
    const range = woken ?? this.#poll;
    if (range === null) {
      this.#endFullScan();
      return null;
    }
    if (woken === undefined) this.#poll = null;
    const page = await this.#store.tombstones(range, limit);
    const [first, last] = [page[0], page.at(-1)];
    if (first === undefined || last === undefined) return page;
    if (this.#full !== null) this.#full.oldest = Math.min(this.#full.oldest ?? first.since, first.since);
    this.#youngest = Math.max(this.#youngest ?? last.since, last.since);
    if (page.length < limit) return page;
    const rest = { ...range, after: last };
    if (woken !== undefined) this.#woken.unshift(rest);
    // Unless everything was requested in the meantime.
    else this.#poll ??= rest;
    return page;
  }

  /** Drops all state and requests a scan of everything. */
  reset(): void {
    this.#youngest = null;
    this.#oldest = null;
    this.everything();
  }

  #startFullScan(from: number | null): void {
    this.#poll = { after: from === null ? null : before(from), until: null };
    this.#full = { idleMs: 0, oldest: null, lastPage: null };
  }

  /** The scan rests longer when collecting what it found wrote nothing. */
  #addIdleTime(written: number): void {
    if (this.#full === null) return;
    const { lastPage } = this.#full;
    const at = this.#clock.now();
    if (lastPage?.written === written) this.#full.idleMs += at - lastPage.at;
    this.#full.lastPage = { at, written };
  }

  #endFullScan(): void {
    if (this.#full === null) return;
    this.#fullAfter = this.#clock.now() + this.#full.idleMs * restFactor;
    this.#oldest = this.#full.oldest ?? this.#youngest;
    this.#full = null;
  }
}

function before(moment: number): TombstonePosition {
  return { since: moment, uid: nilUid };
}
