/** The work of a run, each row once. */
export class WorkQueue {
  /** Rows to collect, each subtree together. */
  readonly rows = new Set<string>();
  /** Tombstones whose live dependents are to be found, the last one added first, so that the queue stays short for a tree of any size. */
  readonly seeds = new Set<string>();
  /**
   * Tombstones whose blocker is gone. They wait until they fill a batch or nothing else is left, because an owner often has more dependents in
   * the next batch.
   */
  readonly owners = new Set<string>();

  get empty(): boolean {
    return this.rows.size + this.seeds.size + this.owners.size === 0;
  }

  takeRows(limit: number): readonly string[] {
    return take(this.rows, [...this.rows].slice(0, limit));
  }

  takeSeeds(limit: number): readonly string[] {
    return take(this.seeds, [...this.seeds].slice(-limit).reverse());
  }

  takeOwners(limit: number): readonly string[] {
    return take(this.owners, [...this.owners].slice(0, limit));
  }

  /** The row was in a batch: requests to look at it are satisfied. */
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
