import { Contention } from '@platform/kernel';
import type { BatchItemResult, BatchPlan } from '../model/batch.ts';
import { type Fenced, type LockWait, RowsRefused } from '../ports/garbage-collector-store.ts';
import { planBatch } from '../rules/plan-batch.ts';
import type { RetryReason } from './retry-queue.ts';
import { type Run, type RunDeps, RunInterrupted } from './run.ts';

/** Milliseconds between two log lines about refused rows. */
const refusalLogIntervalMs = 60_000;

/** The author of cascades in audit records. */
export const collectorActor = { actor: { type: 'system', id: 'collector' }, requestId: null } as const;

/** Collects rows in one transaction and updates the queues with the results. */
export class BatchCollector {
  readonly #deps: RunDeps;
  #refusedSinceLog = 0;
  #logRefusalAt = Number.NEGATIVE_INFINITY;

  constructor(deps: RunDeps) {
    this.#deps = deps;
  }

  /**
   * When the database refuses a row, the batch is halved until that row is alone; it goes to the retry queue and all others are written.
   * @throws RunInterrupted when this process no longer leads or is paused.
   * @throws StorageUnavailable when the database does not serve; the run fails.
   */
  async collect(run: Run, uids: readonly string[], lockWait: LockWait = 'skip'): Promise<void> {
    const { store, audit } = this.#deps;
    let result: Fenced<{ plan: BatchPlan }>;
    try {
      result = await store.collectBatch({ uids, lockWait, fence: run.fence }, planBatch);
    } catch (error) {
      if (error instanceof RowsRefused) return await this.#isolate(run, uids, error);
      if (!(error instanceof Contention)) throw error;
      for (const uid of uids) this.retry(uid, 'contended');
      return;
    }
    if (result.outcome !== 'committed') throw new RunInterrupted(result.outcome);
    const { remove, cascades, results } = result.plan;
    // First, because an audit record is lost when the process ends before it is written.
    if (cascades.length > 0) audit.cascaded(cascades, collectorActor);
    run.counts.batches += 1;
    run.counts.examined += results.length;
    run.counts.removed += remove.length;
    run.counts.tombstoned += cascades.length;
    for (const row of results) this.#apply(row);
    if (results.length < uids.length) await this.#retryLocked(uids, results);
  }

  /** Moves a row to the retry queue. Returns how often it has failed for this reason. */
  retry(uid: string, reason: RetryReason): number {
    const { blocked, queue, retries } = this.#deps;
    blocked.delete(uid);
    queue.forget(uid);
    return retries.addRateLimited(uid, reason);
  }

  #apply({ uid, decision, revision, blocker, blocks, dependentsOutside }: BatchItemResult): void {
    const { blocked, queue, retries } = this.#deps;
    if (decision === 'ignore' || decision === 'remove') this.#forget(uid);
    if (decision === 'remove') {
      for (const owner of blocks) {
        // An owner that is known to have another blocker stays blocked.
        const known = blocked.get(owner);
        if (known === undefined ? !retries.has(owner) : known.blocker?.uid === uid) queue.owners.add(owner);
      }
    } else if (decision === 'postpone') {
      queue.processed(uid);
      blocked.delete(uid);
      // It keeps its back-off when it is in the retry queue.
      queue.seeds.add(uid);
    } else if (decision !== 'ignore') {
      queue.processed(uid);
      retries.delete(uid);
      // With `await`, the row is retried when the protected dependent has changed.
      blocked.set(uid, { revision, blocker });
      if (decision === 'block' && dependentsOutside) queue.seeds.add(uid);
    }
  }

  /** The row is gone, or live. */
  #forget(uid: string): void {
    const { blocked, queue, retries } = this.#deps;
    blocked.delete(uid);
    retries.delete(uid);
    queue.forget(uid);
  }

  /** Rows of a batch without a result are locked by another transaction, or gone. */
  async #retryLocked(uids: readonly string[], results: readonly BatchItemResult[]): Promise<void> {
    const decided = new Set(results.map(({ uid }) => uid));
    const others = uids.filter((uid) => !decided.has(uid));
    const revisions = await this.#deps.store.revisions(others);
    for (const uid of others) {
      if (revisions.has(uid)) this.retry(uid, 'contended');
      else this.#forget(uid);
    }
  }

  /** Collects the upper half first, because it may tombstone what the lower half depends on. */
  async #isolate(run: Run, uids: readonly string[], error: RowsRefused): Promise<void> {
    const [first] = uids;
    if (uids.length === 1 && first !== undefined) {
      run.counts.refused += 1;
      this.#logRefusal(first, error, this.retry(first, 'refused'));
      return;
    }
    const middle = Math.ceil(uids.length / 2);
    await this.collect(run, uids.slice(0, middle));
    await this.collect(run, uids.slice(middle));
  }

  /** One line a minute, however many rows are refused. */
  #logRefusal(uid: string, { reason, message }: RowsRefused, attempts: number): void {
    const { clock, logger } = this.#deps;
    this.#refusedSinceLog += 1;
    if (clock.now() < this.#logRefusalAt) return;
    this.#logRefusalAt = clock.now() + refusalLogIntervalMs;
    const fields = { uid, reason, error: message, attempts, refusals: this.#refusedSinceLog };
    logger.error('collector: the database refuses to remove or tombstone a row', fields);
    this.#refusedSinceLog = 0;
  }
}
