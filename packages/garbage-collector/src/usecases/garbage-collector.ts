import type { RunOutcome, RunReport } from '../model/run-report.ts';
import type { LockWait } from '../ports/garbage-collector-store.ts';
import type { Fence } from '../ports/lease.ts';
import type { WakeUp } from '../ports/wake-ups.ts';
import { BatchCollector } from './batch-collector.ts';
import { CollectorState } from './collector-state.ts';
import { DependentsTraversal } from './dependents-traversal.ts';
import { PendingCascades } from './pending-cascades.ts';
import { Run, RunInterrupted, type RunPorts } from './run.ts';
import { TombstoneScan, wokenLimit } from './tombstone-scan.ts';

/** Milliseconds after which a run ends; the next one continues. */
const longestRunMs = 30_000;
/** Milliseconds after which the state is dropped, so that changes made by hand in SQL are found too. */
const resetIntervalMs = 600_000;
/** Attempts that skip a locked row; later ones wait for its lock. */
const skippedAttempts = 4;
/** Rows whose locks one run waits for, at most. */
const lockWaitsPerRun = 5;
/** Refused rows that one run retries, each alone and after all other work, so that they delay nothing. */
const refusedPerRun = 20;

/**
 * Collects tombstones and everything below them. A run takes small steps until nothing is left. The state stays for the next run; a new
 * leader starts without state and finds everything by scanning.
 */
export class GarbageCollector {
  readonly #ports: RunPorts;
  readonly #state: CollectorState;
  readonly #batchSize: number;
  readonly #scan: TombstoneScan;
  readonly #batches: BatchCollector;
  readonly #traversal: DependentsTraversal;
  readonly #pending: PendingCascades;
  /** Rows named by wake-ups since the last step. */
  readonly #woken = new Set<string>();
  #unfinished = false;
  #resetAt = 0;

  constructor(ports: RunPorts, batchSize: number) {
    this.#ports = ports;
    this.#state = new CollectorState(ports);
    this.#batchSize = batchSize;
    this.#scan = new TombstoneScan(ports.store, ports.clock);
    this.#batches = new BatchCollector(ports, this.#state);
    this.#traversal = new DependentsTraversal(ports.store, this.#state, batchSize);
    this.#pending = new PendingCascades(ports.store, this.#scan);
    this.reset();
  }

  /** When a run has something to do, in milliseconds of the clock. */
  get nextRunAt(): number {
    const { queue, retries } = this.#state;
    const isDue = this.#unfinished || this.#woken.size > 0 || !queue.empty || !this.#scan.empty;
    return isDue ? Number.NEGATIVE_INFINITY : retries.nextAt;
  }

  /** No tombstone is older than this `deletionTimestamp`, in milliseconds since the Unix epoch; null before the first full scan. */
  get oldestTombstone(): number | null {
    return this.#scan.oldest;
  }

  /** Requests what the wake-up names. */
  wake(wakeUp: WakeUp): void {
    if (wakeUp.reason === 'tombstoned') this.#scan.at(wakeUp.at);
    if (wakeUp.reason === 'changed') this.#woken.add(wakeUp.uid);
    if (wakeUp.reason === 'missed' || this.#woken.size > wokenLimit) {
      this.#woken.clear();
      this.#scan.everything();
    }
  }

  /** Requests a scan for tombstones that no wake-up named. */
  poll(): void {
    this.#scan.poll();
  }

  /** Drops all state and requests a scan of everything: another leader may have worked in the meantime, or a batch failed. */
  reset(): void {
    this.#state.clear();
    this.#woken.clear();
    this.#scan.reset();
    this.#pending.reset();
    this.#unfinished = false;
    this.#resetAt = this.#ports.clock.now() + resetIntervalMs;
  }

  /**
   * Collects until nothing is left, or `checkpoint` throws {@link RunInterrupted}.
   * @throws StorageUnavailable when the database does not serve; commits stay.
   */
  run(fence: Fence, checkpoint: () => Promise<void>): Promise<RunReport> {
    return this.#ports.tracer.span({ name: 'collector.run', kind: 'internal' }, async (span) => {
      const report = await this.#run(fence, checkpoint);
      const { durationMs, ...members } = report;
      const attributes = Object.entries(members).map(([key, value]) => [`platform.run.${key}`, value]);
      span.set(Object.fromEntries(attributes));
      return report;
    });
  }

  async #run(fence: Fence, checkpoint: () => Promise<void>): Promise<RunReport> {
    const { audit, clock } = this.#ports;
    const startedAt = clock.now();
    if (startedAt >= this.#resetAt && !this.#unfinished) this.reset();
    const run = new Run(audit, fence, async () => {
      if (clock.now() - startedAt >= longestRunMs) throw new RunInterrupted('unfinished');
      await checkpoint();
    });
    const outcome = await this.#collect(run);
    this.#unfinished = outcome === 'unfinished';
    const stuck = this.#state.blocked.size + this.#state.retries.size;
    return { outcome, durationMs: clock.now() - startedAt, ...run.counts, stuck };
  }

  async #collect(run: Run): Promise<RunOutcome> {
    const { queue, retries } = this.#state;
    this.#pending.begin();
    try {
      const contended = retries.due('contended');
      for (const { uid, attempts } of contended) {
        if (attempts <= skippedAttempts) queue.rows.set(uid, 'tombstone');
      }
      const waiting = contended.filter(({ attempts }) => attempts > skippedAttempts);
      await this.#retryEach(run, waiting.slice(0, lockWaitsPerRun), 'wait');
      await this.#drain(run);
      await this.#retryEach(run, retries.due('refused').slice(0, refusedPerRun), 'skip');
      await this.#drain(run);
      return 'done';
    } catch (error) {
      const outcome = error instanceof RunInterrupted ? error.outcome : 'failed';
      // Another process may collect now, or the rows of the failed batch are in no queue any more.
      if (outcome !== 'unfinished' && outcome !== 'stopped') this.reset();
      if (outcome === 'failed') throw error;
      return outcome;
    }
  }

  async #retryEach(run: Run, rows: readonly { readonly uid: string }[], lockWait: LockWait): Promise<void> {
    for (const { uid } of rows) {
      await run.checkpoint();
      await this.#batches.collect(run, [uid], lockWait);
    }
  }

  /** Takes steps until none is left, in turns with a wide deletion: it takes minutes, and others must not wait for its end. */
  async #drain(run: Run): Promise<void> {
    const { queue, retries } = this.#state;
    let goesOn = true;
    while (goesOn) {
      await run.checkpoint();
      goesOn = await this.#pending.step(run);
      for (const uid of this.#woken) if (!retries.isRefused(uid)) queue.rows.set(uid, 'tombstone');
      this.#woken.clear();
      if (await this.#step(run)) goesOn = true;
    }
  }

  /**
   * Does the first of these that is possible: finds more rows for a batch that is not full, collects rows, collects owners, reads the next
   * tombstones. Owners go first when they fill a batch. Returns false when nothing is left.
   */
  async #step(run: Run): Promise<boolean> {
    const { queue } = this.#state;
    if (queue.owners.size < this.#batchSize) {
      const { uids, isFull } = queue.nextRows(this.#batchSize);
      if (!isFull && (await this.#traversal.step(run))) return true;
      if (uids.length > 0) {
        for (const uid of uids) queue.rows.delete(uid);
        await this.#batches.collect(run, uids);
        return true;
      }
    }
    if (queue.owners.size === 0) return await this.#scanPage(run);
    await this.#batches.collect(run, await this.#nextOwners());
    return true;
  }

  /** Owners whose blocker is gone, with the tombstones above them that nothing else blocks, so that a chain goes in one batch. */
  async #nextOwners(): Promise<readonly string[]> {
    const owners = this.#state.queue.takeOwners(this.#batchSize);
    const batch = new Set(owners);
    for (const uid of await this.#ports.store.findDeletedAncestors(owners, this.#batchSize)) {
      if (this.#state.isFree(uid, (blocker) => batch.has(blocker))) batch.add(uid);
    }
    return [...batch];
  }

  async #scanPage(run: Run): Promise<boolean> {
    const { queue, blocked, retries } = this.#state;
    const page = await this.#scan.nextPage(Math.max(1_000, this.#batchSize), run.written);
    if (page === null) return false;
    run.counts.scanned += page.length;
    const free = page.filter(({ uid }) => !retries.has(uid) && uid !== this.#pending.owner);
    for (const uid of (await blocked.takeChanged(free, this.#ports.store)).toReversed()) queue.seeds.add(uid);
    return true;
  }
}
