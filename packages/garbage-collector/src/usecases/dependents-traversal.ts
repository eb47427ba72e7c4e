import type { DependentEdge } from '../model/batch.ts';
import type { RunCounts } from '../model/run-report.ts';
import { orderSubtrees, topLevels } from '../rules/order-subtrees.ts';
import type { BatchCollector, CollectorDeps } from './batch-collector.ts';

/** A traversal reads up to this many batches of rows: reading is cheap, and reading a wide owner again is not. */
const batchesPerTraversal = 10;
/** Full batches that are not searched for trees after one without any: a search takes a twentieth of the time of a batch. */
const skippedBatches = 9;

/**
 * Finds the live rows below tombstones and puts them on the work queue. The number of seeds of one traversal adapts: few while their
 * subtrees do not fit the limit, so that whole subtrees come together; many while the subtrees are small.
 */
export class DependentsTraversal {
  readonly #deps: CollectorDeps;
  readonly #batches: BatchCollector;
  readonly #batchSize: number;
  /** Edges of one traversal, at most. */
  readonly #limit: number;
  #seeds = 1;
  #batchesToSkip = 0;

  constructor(deps: CollectorDeps, batches: BatchCollector, batchSize: number) {
    this.#deps = deps;
    this.#batches = batches;
    this.#batchSize = batchSize;
    this.#limit = batchSize * batchesPerTraversal;
  }

  /**
   * Puts tombstones on the work queue, each with the live rows below it: a small tree then goes in one batch, and its root is not written
   * first. Returns false when nothing live is below them, or more than one traversal finds. After a full batch with nothing below it, the
   * next few full batches are not looked at.
   */
  async addTrees(tombstones: readonly string[]): Promise<boolean> {
    const isFull = tombstones.length === this.#batchSize;
    if (isFull && this.#batchesToSkip > 0) {
      this.#batchesToSkip -= 1;
      return false;
    }
    const edges = await this.#deps.store.traverseDependents(tombstones, this.#limit);
    this.#batchesToSkip = isFull && edges.length === 0 ? skippedBatches : 0;
    if (edges.length === 0 || edges.length >= this.#limit) return false;
    this.#enqueue(orderSubtrees(tombstones, edges));
    return true;
  }

  /** Runs one traversal. Returns false when none is requested. */
  async step(counts: RunCounts): Promise<boolean> {
    const { store, queue } = this.#deps;
    const seeds = queue.nextTraversals(this.#seeds);
    if (seeds.length === 0) return false;
    // A traversal that was cut off would give the same result while nothing was written since.
    for (const { uid, writes } of seeds) if (writes === counts.writes) this.#batches.retry(uid, 'contended');
    const uids = seeds.filter(({ writes }) => writes !== counts.writes).map(({ uid }) => uid);
    const [seed] = uids;
    if (seed === undefined) return true;

    const edges = await store.traverseDependents(uids, this.#limit);
    if (edges.length < this.#limit) {
      for (const uid of uids) this.#noteComplete(uid, edges);
      this.#enqueueBelow(uids, edges);
    } else if (uids.length === 1) {
      queue.addTraversal(seed, counts.writes);
      this.#enqueueBelow(uids, topLevels(seed, edges, this.#batchSize));
    } else {
      for (const { uid, writes } of seeds.toReversed()) queue.addTraversal(uid, writes);
    }
    this.#adapt(edges.length);
    return true;
  }

  #adapt(found: number): void {
    if (found >= this.#limit) this.#seeds = Math.max(1, Math.floor(this.#seeds / 4));
    else if (found < this.#limit / 2) this.#seeds = Math.min(this.#batchSize, this.#seeds * 2);
  }

  #enqueueBelow(seeds: readonly string[], edges: readonly DependentEdge[]): void {
    const known = new Set(seeds);
    this.#enqueue(orderSubtrees(seeds, edges).filter((uid) => !known.has(uid)));
  }

  #enqueue(uids: readonly string[]): void {
    const { queue, retries } = this.#deps;
    queue.addSubtree(uids.filter((uid) => !retries.has(uid)));
  }

  /** All live rows below the row are queued now, and a tombstone gets no new dependents. */
  #noteComplete(uid: string, edges: readonly DependentEdge[]): void {
    const { blocked, queue, retries } = this.#deps;
    if (blocked.setDependentsMarked(uid)) return;
    // The row was postponed because of live dependents. When all of them wait in the retry queue, so does it.
    const below = edges.filter(({ from }) => from === uid);
    if (below.length > 0 && below.every((row) => retries.has(row.uid))) this.#batches.retry(uid, 'contended');
    else queue.requeueOwner(uid);
  }
}
