import type { RunCounts, RunOutcome } from '../model/run-report.ts';
import type { Fence } from '../ports/lease.ts';
import type { BatchCollector, CollectorDeps } from './batch-collector.ts';

/** Dependents that are read at a time: their uids take a few megabytes. */
const pageSize = 50_000;
/** Dependents of one transaction: a tenth of a second, so that a write of one of them hardly waits. */
const batchSize = 1_000;

const actor = { actor: { type: 'system', id: 'collector' }, requestId: null } as const;

/**
 * Stamps the dependents of deletions that had too many of them. They are tombstones for every reader already; stamped, they are found by the scan and
 * are told of in the change log. Rows that nothing keeps are removed at once. The oldest deletion comes first: the dependents that two have in common belong to it.
 */
export class PendingCascades {
  readonly #deps: CollectorDeps;
  readonly #batches: BatchCollector;

  constructor(deps: CollectorDeps, batches: BatchCollector) {
    this.#deps = deps;
    this.#batches = batches;
  }

  /** Stamps until nothing is left, or only rows that others have locked. Returns what interrupted it, or null. */
  async stamp(
    fence: Fence,
    counts: RunCounts,
    checkpoint: () => Promise<RunOutcome | null>,
  ): Promise<RunOutcome | null> {
    for (;;) {
      const pending = await this.#deps.store.pendingDependents(pageSize);
      if (pending === null) return null;
      const { owner, dependents } = pending;
      let stamped = 0;
      for (let start = 0; start < dependents.length; start += batchSize) {
        const end = await checkpoint();
        if (end !== null) return end;
        const uids = dependents.slice(start, start + batchSize);
        const result = await this.#deps.store.stampDependents({ owner, uids, fence });
        if (result.outcome !== 'committed') return result.outcome;
        // Before anything else, as after a batch.
        if (result.cascades.length > 0) this.#deps.audit.cascaded(result.cascades, actor);
        stamped += result.cascades.length;
        counts.tombstoned += result.cascades.length;
        counts.removed += result.removed.length;
        counts.writes += result.cascades.length;
        for (const uid of result.removed) this.#batches.removed(uid);
      }
      // The rest is locked. The next run tries again; until then every reader derives the tombstones.
      if (stamped === 0) return null;
    }
  }
}
