import type { DependentEdge } from '../model/batch.ts';
import type { GarbageCollectorStore } from '../ports/garbage-collector-store.ts';
import { groupByOwner, orderSubtrees, topLevels } from '../rules/order-subtrees.ts';
import type { CollectorState } from './collector-state.ts';
import type { Run } from './run.ts';

/** Batches of rows that one traversal reads, at most: many, because a traversal that is cut off is read again. */
const batchesPerTraversal = 10;

/**
 * Finds the live rows below tombstones and adds them to the work queue, each subtree together, so that a small tree goes into one batch.
 * The number of seeds of one traversal adapts to the size of their subtrees, so that few traversals are cut off at the limit.
 */
export class DependentsTraversal {
  readonly #store: Pick<GarbageCollectorStore, 'traverseDependents'>;
  readonly #state: CollectorState;
  readonly #batchSize: number;
  #seeds = 1;
  /** The last traversal that was cut off at the limit, and what had been written then. */
  #cutOff: { readonly seed: string; readonly written: number } | null = null;

  constructor(
    store: Pick<GarbageCollectorStore, 'traverseDependents'>,
    state: CollectorState,
    batchSize: number,
  ) {
    this.#store = store;
    this.#state = state;
    this.#batchSize = batchSize;
  }

  /** Runs one traversal. Returns false when there are no seeds, or when rows of one that was cut off have to be written first. */
  async step({ written }: Run): Promise<boolean> {
    const { queue } = this.#state;
    if (this.#cutOff?.written === written && queue.rows.size > 0) return false;
    const seeds = queue.takeSeeds(this.#seeds);
    const [seed] = seeds;
    if (seed === undefined) return false;
    const limit = this.#batchSize * batchesPerTraversal;
    const edges = await this.#store.traverseDependents(seeds, limit);
    if (edges.length < limit) {
      this.#enqueueTrees(seeds, edges);
      if (edges.length < limit / 2) this.#seeds = Math.min(this.#batchSize, this.#seeds * 2);
      return true;
    }
    this.#seeds = Math.max(1, Math.floor(this.#seeds / 4));
    if (seeds.length > 1) for (const uid of seeds.toReversed()) queue.seeds.add(uid);
    else if (this.#cutOff?.seed === seed && this.#cutOff.written === written) {
      // Nothing was written since it was cut off last: its dependents are locked.
      this.#cutOff = null;
      this.#state.retry(seed, 'contended');
    } else {
      this.#cutOff = { seed, written };
      queue.seeds.add(seed);
      this.#enqueue(orderSubtrees([seed], topLevels(seed, edges, this.#batchSize)).slice(1), seeds);
    }
    return true;
  }

  #enqueueTrees(seeds: readonly string[], edges: readonly DependentEdge[]): void {
    const { blocked, retries } = this.#state;
    const below = groupByOwner(edges);
    const rows = new Set(orderSubtrees(seeds, edges));
    for (const seed of seeds) {
      const dependents = below.get(seed) ?? [];
      if (dependents.length === 0) {
        // It was in a batch already.
        if (blocked.get(seed) !== undefined) rows.delete(seed);
      } else if (dependents.every((uid) => retries.has(uid))) {
        rows.delete(seed);
        if (blocked.get(seed) === undefined) this.#state.retry(seed, 'contended');
      }
    }
    this.#enqueue([...rows], seeds);
  }

  #enqueue(uids: readonly string[], seeds: readonly string[]): void {
    const { queue, retries } = this.#state;
    const tombstones = new Set(seeds);
    for (const uid of uids) {
      if (!retries.has(uid)) queue.rows.set(uid, tombstones.has(uid) ? 'tombstone' : 'live');
    }
  }
}
