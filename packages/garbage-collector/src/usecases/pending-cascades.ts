import type { GarbageCollectorStore } from '../ports/garbage-collector-store.ts';
import { type Run, requireCommitted } from './run.ts';
import type { WorkQueue } from './work-queue.ts';

/** Dependents read at a time; their uids take a few megabytes. */
const pageSize = 50_000;
/** Dependents of one transaction: few, so that a write of one of them hardly waits. */
const batchSize = 1_000;

/**
 * Marks the dependents of deletions that had too many of them as deleted. Readers see them as tombstones already; once written, the scan
 * finds them and the change log has their entries. The oldest deletion comes first: it gets the dependents that two deletions share.
 */
export async function markPendingDependents(
  store: GarbageCollectorStore,
  queue: WorkQueue,
  run: Run,
): Promise<void> {
  for (;;) {
    const pending = await store.pendingDependents(pageSize);
    if (pending === null) return;
    const { owner, dependents } = pending;
    const tombstonedBefore = run.counts.tombstoned;
    for (let start = 0; start < dependents.length; start += batchSize) {
      await run.checkpoint();
      const uids = dependents.slice(start, start + batchSize);
      const result = await store.markDependentsDeleted({ owner, uids, fence: run.fence });
      const { cascades, removed } = requireCommitted(result);
      run.report(cascades, removed);
      if (removed.length > 0) queue.owners.add(owner);
    }
    // The rest is locked. The next run tries again; until then every reader derives the tombstones.
    if (run.counts.tombstoned === tombstonedBefore) return;
  }
}
