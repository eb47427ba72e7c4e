import { Contention } from '@platform/kernel';
import type { BatchItemResult, BatchPlan } from '../model/batch.ts';
import { type Fenced, type LockWait, RowsRefused } from '../ports/garbage-collector-store.ts';
import { planBatch } from '../rules/plan-batch.ts';
import type { CollectorState } from './collector-state.ts';
import { type Run, type RunPorts, requireCommitted } from './run.ts';

/** Milliseconds between two log lines about refused rows. */
const refusalLogIntervalMs = 60_000;

/** Collects rows in one transaction and updates the state with the results. */
export class BatchCollector {
  readonly #ports: Pick<RunPorts, 'store' | 'clock' | 'logger'>;
  readonly #state: CollectorState;
  #refusedSinceLog = 0;
  #logRefusalAt = Number.NEGATIVE_INFINITY;

  constructor(ports: Pick<RunPorts, 'store' | 'clock' | 'logger'>, state: CollectorState) {
    this.#ports = ports;
    this.#state = state;
  }

  /**
   * When the database refuses a row, the batch is halved until that row is alone; it goes to the retry queue and all others are written.
   * @throws RunInterrupted when this process no longer leads or is paused.
   * @throws StorageUnavailable when the database does not serve; the run fails.
   */
  async collect(run: Run, uids: readonly string[], lockWait: LockWait = 'skip'): Promise<void> {
    let result: Fenced<{ plan: BatchPlan }>;
    try {
      result = await this.#ports.store.collectBatch({ uids, lockWait, fence: run.fence }, planBatch);
    } catch (error) {
      if (error instanceof RowsRefused) return await this.#isolate(run, uids, error);
      if (!(error instanceof Contention)) throw error;
      for (const uid of uids) this.#state.retry(uid, 'contended');
      return;
    }
    const { remove, cascades, results } = requireCommitted(result).plan;
    run.report(cascades, remove);
    run.counts.batches += 1;
    run.counts.examined += results.length;
    for (const row of results) this.#apply(row);
    if (results.length < uids.length) await this.#retryLocked(uids, results);
  }

  #apply({ uid, decision, revision, blocker, blocks, dependentsOutside }: BatchItemResult): void {
    const { blocked, queue, retries } = this.#state;
    switch (decision) {
      case 'ignore':
        this.#state.forget(uid);
        break;
      case 'remove':
        this.#state.forget(uid);
        for (const owner of blocks) {
          if (this.#state.isFree(owner, (removed) => removed === uid)) queue.owners.add(owner);
        }
        break;
      case 'postpone':
        queue.processed(uid);
        blocked.delete(uid);
        // It keeps its back-off when it is in the retry queue.
        queue.seeds.add(uid);
        break;
      default:
        queue.processed(uid);
        retries.delete(uid);
        // With `await`, the row is retried when the protected dependent has changed.
        blocked.set(uid, { revision, blocker });
        if (decision === 'block' && dependentsOutside) queue.seeds.add(uid);
    }
  }

  /** Rows of a batch without a result are locked by another transaction, or gone. */
  async #retryLocked(uids: readonly string[], results: readonly BatchItemResult[]): Promise<void> {
    const decided = new Set(results.map(({ uid }) => uid));
    const others = uids.filter((uid) => !decided.has(uid));
    const revisions = await this.#ports.store.revisions(others);
    for (const uid of others) {
      if (revisions.has(uid)) this.#state.retry(uid, 'contended');
      else this.#state.forget(uid);
    }
  }

  /** Collects the upper half first, because it may tombstone what the lower half depends on. */
  async #isolate(run: Run, uids: readonly string[], error: RowsRefused): Promise<void> {
    const [first] = uids;
    if (uids.length === 1 && first !== undefined) {
      run.counts.refused += 1;
      this.#logRefusal(first, error, this.#state.retry(first, 'refused'));
      return;
    }
    const middle = Math.ceil(uids.length / 2);
    await this.collect(run, uids.slice(0, middle));
    await this.collect(run, uids.slice(middle));
  }

  /** One line a minute, however many rows are refused. */
  #logRefusal(uid: string, { reason, message }: RowsRefused, attempts: number): void {
    const { clock, logger } = this.#ports;
    this.#refusedSinceLog += 1;
    if (clock.now() < this.#logRefusalAt) return;
    this.#logRefusalAt = clock.now() + refusalLogIntervalMs;
    const fields = { uid, reason, error: message, attempts, refusals: this.#refusedSinceLog };
    logger.error('collector: the database refuses to remove or tombstone a row', fields);
    this.#refusedSinceLog = 0;
  }
}
