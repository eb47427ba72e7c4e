import type { GarbageCollectorStore, PendingDependents } from '../ports/garbage-collector-store.ts';
import { type Run, requireCommitted } from './run.ts';
import type { TombstoneScan } from './tombstone-scan.ts';

/** Dependents read at a time; their uids take a few megabytes. */
const pageSize = 50_000;
/** Dependents of one transaction: few, so that a write of one of them hardly waits. */
const batchSize = 1_000;

/** A page of dependents in progress. */
interface Page extends PendingDependents {
  /** Those before were in a transaction. */
  next: number;
  marked: number;
}

/**
 * Marks the dependents of deletions that had too many of them as deleted. Readers see them as tombstones already; once written, the scan
 * finds them and the change log has their entries. The oldest deletion comes first: it gets the dependents that two deletions share.
 */
export class PendingCascades {
  readonly #store: Pick<GarbageCollectorStore, 'pendingDependents' | 'markDependentsDeleted'>;
  readonly #scan: Pick<TombstoneScan, 'at'>;
  #page: Page | null = null;
  #isOver = false;

  constructor(
    store: Pick<GarbageCollectorStore, 'pendingDependents' | 'markDependentsDeleted'>,
    scan: Pick<TombstoneScan, 'at'>,
  ) {
    this.#store = store;
    this.#scan = scan;
  }

  /** The tombstone whose dependents are being marked. It is not collected meanwhile: finding them once more would take longer. */
  get owner(): string | null {
    return this.#page?.owner ?? null;
  }

  /** A run begins: there may be others, and rows that were locked may be free. */
  begin(): void {
    this.#isOver = false;
  }

  reset(): void {
    this.#page = null;
  }

  /** Marks some dependents in one transaction. Returns false when nothing is left, or only rows that others have locked. */
  async step(run: Run): Promise<boolean> {
    if (this.#isOver) return false;
    const page = await this.#currentPage();
    if (page === null) {
      this.#isOver = true;
      return false;
    }
    const { owner, dependents, next } = page;
    const uids = dependents.slice(next, next + batchSize);
    const result = await this.#store.markDependentsDeleted({ owner, uids, fence: run.fence });
    const { cascades, removed } = requireCommitted(result);
    run.report(cascades, removed);
    page.next += batchSize;
    page.marked += cascades.length;
    return true;
  }

  async #currentPage(): Promise<Page | null> {
    const last = this.#page;
    if (last !== null && last.next < last.dependents.length) return last;
    // The rest is locked. The next run tries again; until then every reader derives the tombstones.
    const isLocked = last?.marked === 0;
    const pending = isLocked ? null : await this.#store.pendingDependents(pageSize);
    // The owner and its dependents have the same timestamp.
    if (last !== null && pending?.owner !== last.owner) this.#scan.at(last.since);
    this.#page = pending && { ...pending, next: 0, marked: 0 };
    return this.#page;
  }
}
