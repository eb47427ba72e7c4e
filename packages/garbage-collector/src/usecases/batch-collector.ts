import { type Clock, Contention, type Logger, type Tracer } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import type { BatchItemResult, BatchPlan } from '../model/batch.ts';
import type { RunCounts } from '../model/run-report.ts';
import { type GarbageCollectorStore, type LockWait, RowsRefused } from '../ports/garbage-collector-store.ts';
import type { Fence } from '../ports/lease.ts';
import type { CollectorMetrics } from '../ports/metrics.ts';
import { planBatch } from '../rules/plan-batch.ts';
import type { BlockedOwnersCache } from './blocked-owners-cache.ts';
import type { RetryQueue, RetryReason } from './retry-queue.ts';
import type { WorkQueue } from './work-queue.ts';

/** Shared by the classes of a run: the ports, and the state that outlives a run. */
export interface CollectorDeps {
  readonly store: GarbageCollectorStore;
  readonly audit: AuditLog;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly blocked: BlockedOwnersCache;
  readonly retries: RetryQueue;
  readonly queue: WorkQueue;
}

/** Whether a run may continue after a batch. */
export type BatchProgress = 'committed' | 'deposed' | 'paused';

/**
 * An owner is requeued at once when its blocker is gone, this many times. After that it probably has many more dependents, and waits for
 * the rest of its page, so that not every batch searches the dependents of a wide owner for the next blocker.
 */
const immediateRequeues = 4;
/** Milliseconds between two log lines about refused rows. */
const refusalLogIntervalMs = 60_000;

const actor = { actor: { type: 'system', id: 'collector' }, requestId: null } as const;

/** Collects rows in one transaction and updates the queues with the results. */
export class BatchCollector {
  readonly #deps: CollectorDeps;
  #refusedSinceLog = 0;
  #logRefusalAt = Number.NEGATIVE_INFINITY;

  constructor(deps: CollectorDeps) {
    this.#deps = deps;
  }

  /**
   * When the database refuses a row, the batch is halved until that row is alone; it goes to the retry queue and all others are written.
   * @throws Contention `unavailable` when the database does not serve; the run fails.
   */
  async collect(
    fence: Fence,
    counts: RunCounts,
    uids: readonly string[],
    lockWait: LockWait = 'skip',
  ): Promise<BatchProgress> {
    const { audit, metrics, clock } = this.#deps;
    const startedAt = clock.now();
    try {
      const result = await this.#collectTraced(fence, uids, lockWait);
      if (result.outcome !== 'committed') return result.outcome;
      const { plan } = result;
      // Before anything else: an audit record is lost when the process ends before it is written.
      if (plan.cascades.length > 0) audit.cascaded(plan.cascades, actor);
      metrics.batch(plan.results.length, (clock.now() - startedAt) / 1_000);
      count(counts, plan);
      for (const row of plan.results) this.#apply(row);
      this.#retryMissing(uids, plan);
    } catch (error) {
      if (error instanceof Contention) {
        for (const uid of uids) this.retry(uid, 'contended');
      } else if (error instanceof RowsRefused) {
        return await this.#isolate(fence, counts, uids, error);
      } else throw error;
    }
    return 'committed';
  }

  /** Moves a row to the retry queue. Returns how often it has failed for this reason. */
  retry(uid: string, reason: RetryReason): number {
    const { blocked, queue, retries } = this.#deps;
    blocked.delete(uid);
    queue.forget(uid);
    return retries.addRateLimited(uid, reason);
  }

  /** The row no longer exists: the owners that it blocked are requeued. */
  removed(uid: string): void {
    const { blocked, queue, retries } = this.#deps;
    blocked.delete(uid);
    retries.delete(uid);
    queue.forget(uid);
    for (const owner of blocked.blockedBy(uid)) {
      if ((blocked.get(owner)?.attempts ?? 0) < immediateRequeues) queue.requeueOwner(owner);
      else queue.addPage([owner]);
    }
  }

  #collectTraced(fence: Fence, uids: readonly string[], lockWait: LockWait) {
    const { store, tracer } = this.#deps;
    const attributes = { 'db.system.name': 'postgresql', 'platform.batch.rows': uids.length };
    return tracer.span({ name: 'collector.batch', kind: 'client', attributes }, async (span) => {
      const result = await store.collectBatch({ uids, lockWait, fence }, planBatch);
      span.set({ 'platform.batch.outcome': result.outcome });
      if (result.outcome === 'committed') {
        span.set({
          'platform.batch.examined': result.plan.results.length,
          'platform.batch.removed': result.plan.remove.length,
          'platform.batch.tombstoned': result.plan.cascades.length,
        });
      }
      return result;
    });
  }

  #apply({ uid, decision, revision, blocker, ...result }: BatchItemResult): void {
    const { blocked, queue, retries } = this.#deps;
    queue.processed(uid);
    // A row that waits for another in the retry queue keeps its own back-off.
    if (decision !== 'postpone') retries.delete(uid);
    switch (decision) {
      case 'ignore':
        blocked.delete(uid);
        queue.forget(uid);
        return;
      case 'remove':
        this.removed(uid);
        // An owner that is known to have another blocker need not be looked at.
        for (const owner of result.blocks) {
          if (blocked.get(owner) === undefined && !retries.has(owner)) queue.requeueOwner(owner);
        }
        return;
      case 'postpone':
        blocked.delete(uid);
        queue.addTraversal(uid);
        return;
      case 'await':
        // The scan looks at it again when the protected dependent has changed; its wake-up does so at once.
        blocked.set(uid, { revision, blocker, dependentsMarked: true });
        return;
      case 'hold':
        blocked.set(uid, { revision, blocker: null, dependentsMarked: true });
        return;
      case 'block': {
        const dependentsMarked = result.dependentsMarked || blocked.get(uid)?.dependentsMarked === true;
        blocked.set(uid, { revision, blocker, dependentsMarked });
        if (!dependentsMarked || (blocker?.live === true && !retries.has(blocker.uid)))
          queue.addTraversal(uid);
      }
    }
  }

  /** Rows that were not locked are locked by somebody else, or gone; the retry finds out which. */
  #retryMissing(uids: readonly string[], { results }: BatchPlan): void {
    if (results.length === uids.length) return;
    const found = new Set(results.map(({ uid }) => uid));
    for (const uid of uids) if (!found.has(uid)) this.retry(uid, 'contended');
  }

  /** Collects the upper half first, because it may tombstone what the lower half depends on. */
  async #isolate(
    fence: Fence,
    counts: RunCounts,
    uids: readonly string[],
    error: RowsRefused,
  ): Promise<BatchProgress> {
    const [first] = uids;
    if (uids.length === 1 && first !== undefined) {
      counts.refused += 1;
      this.#logRefusal(first, error, this.retry(first, 'refused'));
      return 'committed';
    }
    const middle = Math.ceil(uids.length / 2);
    for (const half of [uids.slice(0, middle), uids.slice(middle)]) {
      const progress = await this.collect(fence, counts, half);
      if (progress !== 'committed') return progress;
    }
    return 'committed';
  }

  /** One line a minute, however many rows are refused. */
  #logRefusal(uid: string, { reason, message }: RowsRefused, attempts: number): void {
    const { clock, logger } = this.#deps;
    this.#refusedSinceLog += 1;
    if (clock.now() < this.#logRefusalAt) return;
    const refusals = this.#refusedSinceLog;
    this.#refusedSinceLog = 0;
    this.#logRefusalAt = clock.now() + refusalLogIntervalMs;
    logger.error('collector: the database refuses to remove or tombstone a row', {
      uid,
      reason,
      error: message,
      attempts,
      refusals,
    });
  }
}

function count(counts: RunCounts, plan: BatchPlan): void {
  counts.batches += 1;
  counts.examined += plan.results.length;
  counts.removed += plan.remove.length;
  counts.tombstoned += plan.cascades.length;
  counts.writes += plan.remove.length + plan.change.length;
}
