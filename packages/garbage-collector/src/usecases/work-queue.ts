import type { BlockedOwnersCache } from './blocked-owners-cache.ts';

/**
 * The work of a run, in the order in which it is taken:
 * - `subtree`: live rows below tombstones, subtree by subtree, and rows named by a wake-up;
 * - `owners`: tombstones whose blocker is gone;
 * - `traversals`: tombstones whose live dependents are still to be found, the last one added first;
 * - `page`: the tombstones of the current page of the scan, oldest first.
 * Working depth first keeps the queue short, whatever the size of a tree.
 */
export class WorkQueue {
  readonly #subtree = new Set<string>();
  readonly #owners = new Set<string>();
  /** The seeds of traversals, with the number of writes at the last traversal of the row, or null. */
  readonly #traversals = new Map<string, number | null>();
  readonly #traversalStack: string[] = [];
  readonly #page = new Set<string>();

  addSubtree(uids: readonly string[]): void {
    for (const uid of uids) this.#subtree.add(uid);
  }

  addPage(uids: readonly string[]): void {
    for (const uid of uids) this.#page.add(uid);
  }

  requeueOwner(uid: string): void {
    this.#owners.add(uid);
  }

  /** Requests a traversal of the row's dependents; `writes` is given when an earlier one was cut off. */
  addTraversal(uid: string, writes: number | null = null): void {
    if (this.#traversals.has(uid)) return;
    this.#traversals.set(uid, writes);
    this.#traversalStack.push(uid);
  }

  /** The row was in a batch: earlier requests to look at it are satisfied. */
  processed(uid: string): void {
    this.#subtree.delete(uid);
    this.#owners.delete(uid);
    this.#page.delete(uid);
  }

  /** The row needs no more work: it is gone, live, or in the retry queue. */
  forget(uid: string): void {
    this.processed(uid);
    this.#traversals.delete(uid);
  }

  nextSubtree(limit: number): readonly string[] {
    return takeFrom(this.#subtree, limit);
  }

  /** Up to `limit` owners, together with the rows that they block in turn, so that a chain goes in one batch. */
  nextOwners(limit: number, blocked: BlockedOwnersCache): readonly string[] {
    const batch = new Set(takeFrom(this.#owners, limit));
    for (const uid of batch) {
      for (const owner of blocked.blockedBy(uid)) {
        if (batch.size >= limit) return [...batch];
        batch.add(owner);
      }
    }
    return [...batch];
  }

  /** Up to `limit` rows to traverse from, the last one added first. */
  nextTraversals(limit: number): readonly { readonly uid: string; readonly writes: number | null }[] {
    const seeds: { uid: string; writes: number | null }[] = [];
    while (seeds.length < limit) {
      const uid = this.#traversalStack.pop();
      if (uid === undefined) break;
      const writes = this.#traversals.get(uid);
      if (writes === undefined) continue;
      this.#traversals.delete(uid);
      seeds.push({ uid, writes });
    }
    return seeds;
  }

  nextPage(limit: number): readonly string[] {
    return takeFrom(this.#page, limit);
  }

  clear(): void {
    this.#subtree.clear();
    this.#owners.clear();
    this.#traversals.clear();
    this.#traversalStack.length = 0;
    this.#page.clear();
  }
}

function takeFrom(set: Set<string>, limit: number): string[] {
  const taken: string[] = [];
  for (const uid of set) {
    if (taken.length === limit) break;
    taken.push(uid);
    set.delete(uid);
  }
  return taken;
}
