/** Live rows for each tombstone that fits into a batch: small trees go into one batch, and no transaction gets long. */
const liveRowsPerTombstone = 4;

/** The state of a row of the queue when it was found. */
type RowState = 'tombstone' | 'live';

/** The work of a run, each row once. */
export class WorkQueue {
  /** Rows to collect, each subtree together. One whose state is not known counts as a tombstone. */
  readonly rows = new Map<string, RowState>();
  /** Tombstones whose live dependents are to be found, last in, first out, so that the queue stays short for a tree of any size. */
  readonly seeds = new Set<string>();
  /** Tombstones whose blocker is gone. They come last, or when they fill a batch: an owner often has more dependents in the next batch. */
  readonly owners = new Set<string>();

  get empty(): boolean {
    return this.rows.size + this.seeds.size + this.owners.size === 0;
  }

  /** The rows of the next batch: at most `limit` tombstones, with live rows below them. `isFull` tells whether no more fit. */
  nextRows(limit: number): { readonly uids: readonly string[]; readonly isFull: boolean } {
    const free = { tombstone: limit, live: limit * liveRowsPerTombstone };
    const uids: string[] = [];
    for (const [uid, state] of this.rows) {
      if (free[state] === 0) break;
      free[state] -= 1;
      uids.push(uid);
    }
    return { uids, isFull: free.tombstone === 0 || free.live === 0 };
  }

  takeSeeds(limit: number): readonly string[] {
    return take(this.seeds, [...this.seeds].slice(-limit).reverse());
  }

  takeOwners(limit: number): readonly string[] {
    return take(this.owners, [...this.owners].slice(0, limit));
  }

  /** The row was in a batch. */
  processed(uid: string): void {
    this.rows.delete(uid);
    this.owners.delete(uid);
  }

  /** The row needs no more work: it is gone, live, or in the retry queue. */
  forget(uid: string): void {
    this.processed(uid);
    this.seeds.delete(uid);
  }

  clear(): void {
    for (const uids of [this.rows, this.seeds, this.owners]) uids.clear();
  }
}

function take(queue: Set<string>, uids: readonly string[]): readonly string[] {
  for (const uid of uids) queue.delete(uid);
  return uids;
}
