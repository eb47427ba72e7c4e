import type { Reached } from '../model/batch.ts';
import type { SweepTally } from '../model/sweep-report.ts';
import { orderRegion, topOfRegion } from '../rules/order-region.ts';
import type { SweepContext } from './examiner.ts';
import { park } from './examiner.ts';

/** Reads this many batches' worth of live dependents at a time: reading is cheap, and reading a wide owner again is not. */
const regionBatches = 10;

/**
 * Finds the live rows below tombstones and puts them on the work list. How many tombstones are spread from at once adapts: few when what is
 * below them does not fit, so that whole subtrees come together; many when there is little.
 */
export class Spreader {
  readonly #batchSize: number;
  #width = 1;

  constructor(batchSize: number) {
    this.#batchSize = batchSize;
  }

  /** Returns false when there is nothing to spread from. */
  async step(context: SweepContext, tally: SweepTally): Promise<boolean> {
    const { store, work } = context;
    const seeds = work.nextSeeds(this.#width);
    if (seeds.length === 0) return false;
    // Read to the end of what was allowed the last time, and nothing has moved since: it would be the same again.
    const idle = seeds.filter(({ changes }) => changes === tally.changes);
    for (const { uid } of idle) park(context, uid, 'contended');
    const uids = seeds.filter(({ changes }) => changes !== tally.changes).map(({ uid }) => uid);
    if (uids.length === 0) return true;

    const limit = this.#batchSize * regionBatches;
    const reached = await store.reach(uids, limit);
    const [seed = ''] = uids;
    if (reached.length < limit) {
      for (const uid of uids) spread(context, uid, reached);
      addRegion(context, uids, reached);
    } else if (uids.length === 1) {
      work.spread(seed, tally.changes);
      addRegion(context, uids, topOfRegion(seed, reached, this.#batchSize));
    } else {
      for (const { uid, changes } of seeds.toReversed()) work.spread(uid, changes);
    }
    this.#adapt(reached.length, limit);
    return true;
  }

  #adapt(found: number, limit: number): void {
    if (found >= limit) this.#width = Math.max(1, Math.floor(this.#width / 4));
    else if (found < limit / 2) this.#width = Math.min(this.#batchSize, this.#width * 2);
  }
}

function addRegion(
  { work, parking }: SweepContext,
  seeds: readonly string[],
  reached: readonly Reached[],
): void {
  work.addRegion(orderRegion(seeds, reached).filter((uid) => !parking.has(uid)));
}

/** Everything live below the row is on the work list now, and a tombstone gets no new dependents. */
function spread(context: SweepContext, uid: string, reached: readonly Reached[]): void {
  const { memory, parking, work } = context;
  if (memory.noteSpread(uid)) return;
  // The row was postponed for live dependents. When all of them are set aside, so is it.
  const below = reached.filter(({ from }) => from === uid);
  if (below.length > 0 && below.every((row) => parking.has(row.uid))) park(context, uid, 'contended');
  else work.ascend(uid);
}
