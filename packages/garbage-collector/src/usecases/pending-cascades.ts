import { type CollectorDeps, collectorActor } from './batch-collector.ts';
import { type Run, RunInterrupted } from './run.ts';

/** Dependents that are read at a time: their uids take a few megabytes. */
const pageSize = 50_000;
/** Dependents of one transaction: a tenth of a second, so that a write of one of them hardly waits. */
const batchSize = 1_000;

/**
 * Stamps the dependents of deletions that had too many of them. Every reader sees them as tombstones already; once they are stamped, the scan
 * finds them and the change log has their entries. Rows that nothing keeps are removed at once. The oldest deletion comes first: dependents that
 * two deletions have in common belong to it.
 */
export async function stampPendingCascades(
  { store, audit, queue }: Pick<CollectorDeps, 'store' | 'audit' | 'queue'>,
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
      const result = await store.stampDependents({ owner, uids, fence: run.fence });
      if (result.outcome !== 'committed') throw new RunInterrupted(result.outcome);
      // Before anything else, as after a batch.
      if (result.cascades.length > 0) audit.cascaded(result.cascades, collectorActor);
      run.counts.tombstoned += result.cascades.length;
      run.counts.removed += result.removed.length;
      if (result.removed.length > 0) queue.owners.add(owner);
    }
    // The rest is locked. The next run tries again; until then every reader derives the tombstones.
    if (run.counts.tombstoned === tombstonedBefore) return;
  }
}
