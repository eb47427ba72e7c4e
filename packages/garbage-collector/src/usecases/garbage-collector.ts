import { RunCounts, type RunOutcome, type RunReport } from '../model/run-report.ts';
import type { LockWait, Tombstone } from '../ports/garbage-collector-store.ts';
import type { Fence } from '../ports/lease.ts';
import { BatchCollector, type BatchProgress, type CollectorDeps } from './batch-collector.ts';
import { DependentsTraversal } from './dependents-traversal.ts';
import { PendingCascades } from './pending-cascades.ts';
import type { RunTriggers } from './pending-triggers.ts';
import type { DueRetry } from './retry-queue.ts';
import { TombstoneScan } from './tombstone-scan.ts';

/** How much a run does at a time. */
export interface RunLimits {
  /** Rows of one transaction. */
  readonly batchSize: number;
  /** Tombstones read at a time. */
  readonly pageSize: number;
  /** A run ends after that many milliseconds; the next one continues. */
  readonly longestMs: number;
}

/** Returns what ends a run between two batches; null while it may continue. */
export type Checkpoint = () => Promise<RunOutcome | null>;

/** A locked row is skipped in this many attempts; after that its lock is waited for. */
const skippedAttempts = 4;
/** Rows whose lock one run waits for, at most. */
const lockWaitsPerRun = 5;
/** Refused rows that one run retries, each alone and after all other work, so that they delay nothing. */
const refusedPerRun = 20;
/** Locked rows that one run retries, which bounds the statement that asks for their revisions. */
const contendedPerRun = 5_000;

/**
 * Collects tombstones and everything below them. A run takes small steps until nothing is left: rows below tombstones, owners whose blocker
 * is gone, dependents still to be found, and the next tombstones of the scan.
 * The state stays for the next run; a new leader starts without state and finds everything by scanning.
 */
export class GarbageCollector {
  readonly #deps: CollectorDeps;
  readonly #limits: RunLimits;
  readonly #scan: TombstoneScan;
  readonly #batches: BatchCollector;
  readonly #traversal: DependentsTraversal;
  readonly #cascades: PendingCascades;

  constructor(deps: CollectorDeps, limits: RunLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#scan = new TombstoneScan(deps.store, deps.clock);
    this.#batches = new BatchCollector(deps);
    this.#cascades = new PendingCascades(deps, this.#batches);
    this.#traversal = new DependentsTraversal(deps, this.#batches, limits.batchSize);
  }

  /** When a row of the retry queue is due, in milliseconds of the clock; null when there is none. */
  get nextRetryAt(): number | null {
    return this.#deps.retries.nextAt;
  }

  /** Where the tombstones begin, in milliseconds; null when no scan has ended yet. */
  get oldestTombstone(): number | null {
    return this.#scan.oldest;
  }

  /** Drops all state: another leader may have worked in the meantime. */
  reset(): void {
    this.#deps.blocked.clear();
    this.#deps.retries.clear();
    this.#deps.queue.clear();
    this.#scan.clear();
  }

  /** Collects everything that the triggers lead to. @throws Problem `unavailable` when the database does not serve; commits stay. */
  run(fence: Fence, triggers: RunTriggers, checkpoint: Checkpoint): Promise<RunReport> {
    return this.#deps.tracer.span({ name: 'collector.run', kind: 'internal' }, async (span) => {
      const report = await this.#run(fence, triggers, checkpoint);
      const { durationMs, ...attributes } = report;
      span.set(
        Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`platform.run.${key}`, value])),
      );
      return report;
    });
  }

  async #run(fence: Fence, triggers: RunTriggers, checkpoint: Checkpoint): Promise<RunReport> {
    const { clock, blocked, retries, queue } = this.#deps;
    const startedAt = clock.now();
    const counts = new RunCounts();
    queue.addSubtree(triggers.changed.filter((uid) => !retries.isRefused(uid)));
    for (const moment of triggers.tombstonedAt) this.#scan.at(moment);
    if (triggers.poll !== 'no') this.#scan.poll(triggers.poll === 'all');
    const bounded: Checkpoint = async () =>
      clock.now() - startedAt >= this.#limits.longestMs ? 'unfinished' : await checkpoint();
    const outcome = await this.#work(fence, counts, bounded).catch((error: unknown) => {
      // The rows of the failed batch are in no queue any more.
      this.reset();
      throw error;
    });
    if (outcome === 'deposed' || outcome === 'paused') this.reset();
    const { writes, ...counted } = counts;
    return { outcome, durationMs: clock.now() - startedAt, ...counted, stuck: blocked.size + retries.size };
  }

  async #work(fence: Fence, counts: RunCounts, checkpoint: Checkpoint): Promise<RunOutcome> {
    const interrupted =
      (await this.#cascades.stamp(fence, counts, checkpoint)) ??
      (await this.#retryContended(fence, counts, checkpoint)) ??
      (await this.#drainQueue(fence, counts, checkpoint)) ??
      (await this.#retryRefused(fence, counts, checkpoint)) ??
      (await this.#drainQueue(fence, counts, checkpoint));
    return interrupted ?? 'done';
  }

  /** Takes steps until none is left. Returns what interrupted it, or null. */
  async #drainQueue(fence: Fence, counts: RunCounts, checkpoint: Checkpoint): Promise<RunOutcome | null> {
    for (;;) {
      const end = await checkpoint();
      if (end !== null) return end;
      const progress = await this.#step(fence, counts);
      if (progress === 'nothing') return null;
      if (progress !== 'committed') return progress;
    }
  }

  async #step(fence: Fence, counts: RunCounts): Promise<BatchProgress | 'nothing'> {
    const { queue } = this.#deps;
    const { batchSize, pageSize } = this.#limits;
    const subtree = queue.nextSubtree(batchSize);
    if (subtree.length > 0) return await this.#batches.collect(fence, counts, subtree);
    const owners = await this.#nextOwners();
    if (owners.length > 0) return await this.#batches.collect(fence, counts, owners);
    if (await this.#traversal.step(counts)) return 'committed';
    const rows = queue.nextPage(batchSize);
    if (rows.length > 0) return await this.#collectPage(fence, counts, rows);
    const page = await this.#scan.nextPage(pageSize);
    if (page === null) return 'nothing';
    counts.scanned += page.length;
    queue.addPage(await this.#withoutBlocked(page));
    return 'committed';
  }

  async #collectPage(fence: Fence, counts: RunCounts, rows: readonly string[]): Promise<BatchProgress> {
    if (await this.#traversal.addTrees(rows)) return 'committed';
    const { clock } = this.#deps;
    const [writes, startedAt] = [counts.writes, clock.now()];
    const progress = await this.#batches.collect(fence, counts, rows);
    if (counts.writes === writes) this.#scan.addIdleTime(clock.now() - startedAt);
    return progress;
  }

  /** Owners whose blocker is gone, with the tombstones above them that are not cached, so that a chain goes in batches. */
  async #nextOwners(): Promise<readonly string[]> {
    const { queue, blocked, retries, store } = this.#deps;
    const { batchSize } = this.#limits;
    const owners = queue.nextOwners(batchSize, blocked);
    if (owners.every((uid) => blocked.get(uid) !== undefined)) return owners;
    const requested = new Set(owners);
    const found = await store.findDeletedAncestors(owners, batchSize);
    return found.filter((uid) => !retries.has(uid) && (requested.has(uid) || blocked.get(uid) === undefined));
  }

  /** Leaves out the tombstones that are cached as blocked and have not changed, nor their blockers. */
  async #withoutBlocked(page: readonly Tombstone[]): Promise<readonly string[]> {
    const { blocked, retries, store } = this.#deps;
    const changed: string[] = [];
    const unchanged: { readonly uid: string; readonly blocker: string; readonly revision: number }[] = [];
    for (const { uid, revision } of page) {
      if (retries.has(uid)) continue;
      const known = blocked.get(uid);
      if (known === undefined || known.revision !== revision) changed.push(uid);
      else if (known.blocker !== null) {
        unchanged.push({ uid, blocker: known.blocker.uid, revision: known.blocker.revision });
      }
    }
    if (unchanged.length === 0) return changed;
    const revisions = await store.revisions([...new Set(unchanged.map(({ blocker }) => blocker))]);
    for (const { uid, blocker, revision } of unchanged) {
      if (revisions.get(blocker) !== revision) changed.push(uid);
    }
    return changed;
  }

  /** Rows that were locked: skipped again a few times, then a few of them with a wait for the lock. */
  async #retryContended(fence: Fence, counts: RunCounts, checkpoint: Checkpoint): Promise<RunOutcome | null> {
    const due = await this.#existing(this.#deps.retries.due('contended', contendedPerRun));
    const skipping = due.filter(({ attempts }) => attempts <= skippedAttempts);
    const waiting = due.filter(({ attempts }) => attempts > skippedAttempts).slice(0, lockWaitsPerRun);
    return (
      (await this.#retry(skipping, this.#limits.batchSize, 'skip', fence, counts, checkpoint)) ??
      (await this.#retry(waiting, 1, 'wait', fence, counts, checkpoint))
    );
  }

  async #retryRefused(fence: Fence, counts: RunCounts, checkpoint: Checkpoint): Promise<RunOutcome | null> {
    const due = await this.#existing(this.#deps.retries.due('refused', refusedPerRun));
    return await this.#retry(due, 1, 'skip', fence, counts, checkpoint);
  }

  /** Collects the rows in batches of `size`. Returns what interrupted it, or null. */
  async #retry(
    rows: readonly DueRetry[],
    size: number,
    lockWait: LockWait,
    fence: Fence,
    counts: RunCounts,
    checkpoint: Checkpoint,
  ): Promise<RunOutcome | null> {
    for (let start = 0; start < rows.length; start += size) {
      const end = await checkpoint();
      if (end !== null) return end;
      const uids = rows.slice(start, start + size).map(({ uid }) => uid);
      const progress = await this.#batches.collect(fence, counts, uids, lockWait);
      if (progress !== 'committed') return progress;
    }
    return null;
  }

  async #existing(due: readonly DueRetry[]): Promise<readonly DueRetry[]> {
    if (due.length === 0) return due;
    const revisions = await this.#deps.store.revisions(due.map(({ uid }) => uid));
    for (const { uid } of due) if (!revisions.has(uid)) this.#batches.removed(uid);
    return due.filter(({ uid }) => revisions.has(uid));
  }
}
