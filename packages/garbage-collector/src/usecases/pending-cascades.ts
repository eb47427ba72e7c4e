import type { GarbageCollectorStore, PendingDependents } from '../ports/garbage-collector-store.ts';
import { type Run, requireCommitted } from './run.ts';
import type { TombstoneScan } from './tombstone-scan.ts';
import type { WorkQueue } from './work-queue.ts';

/** Dependents read at a time; their uids take a few megabytes. */
const pageSize = 50_000;
/** Dependents of one transaction: few, so that a write of one of them hardly waits. */
const batchSize = 1_000;

/** A page of dependents in progress. */
interface Page extends PendingDependents {
  /** Those before were in a transaction. */
  next: number;
  marked: number;
  removed: number;
}

/**
 * Marks the dependents of deletions that had too many of them as deleted. Readers see them as tombstones already; once written, the scan
 * finds them and the change log has their entries. The oldest deletion comes first: it gets the dependents that two deletions share.
 */
export class PendingCascades {
  readonly #store: Pick<GarbageCollectorStore, 'pendingDependents' | 'markDependentsDeleted'>;
  readonly #queue: Pick<WorkQueue, 'owners'>;
  readonly #scan: Pick<TombstoneScan, 'at'>;
  #page: Page | null = null;
  #isOver = false;

  constructor(
    store: Pick<GarbageCollectorStore, 'pendingDependents' | 'markDependentsDeleted'>,
    queue: Pick<WorkQueue, 'owners'>,
    scan: Pick<TombstoneScan, 'at'>,
  ) {
    this.#store = store;
    this.#queue = queue;
    this.#scan = scan;
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
    this.#page ??= await this.#nextPage();
    const page = this.#page;
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
    page.removed += removed.length;
    if (page.next >= dependents.length) this.#end(page);
    return true;
  }

  async #nextPage(): Promise<Page | null> {
    const pending = await this.#store.pendingDependents(pageSize);
    return pending && { ...pending, next: 0, marked: 0, removed: 0 };
  }

  #end({ owner, since, marked, removed }: Page): void {
    this.#page = null;
    if (removed > 0) this.#queue.owners.add(owner);
    if (marked > removed) this.#scan.at(since);
    // The rest is locked. The next run tries again; until then every reader derives the tombstones.
    if (marked === 0) this.#isOver = true;
  }
}
