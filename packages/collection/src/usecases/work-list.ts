import type { Memory } from './memory.ts';

/**
 * What is left to do in a sweep, nearest first:
 * - `region`: live rows that a tombstone reaches, subtree by subtree, and rows that a wake-up named;
 * - `ascending`: tombstones whose blocker is gone;
 * - `spreading`: tombstones that may have live dependents, deepest last;
 * - `page`: the tombstones of the current page of the scan, oldest first.
 * Deepest first keeps it short whatever the size of a tree.
 */
export class WorkList {
  readonly #region = new Set<string>();
  readonly #ascending = new Set<string>();
  readonly #spreading: string[] = [];
  /** The rows of `#spreading`, with the number of changes that there had been when they were spread last, or null. */
  readonly #spreadAt = new Map<string, number | null>();
  readonly #page = new Set<string>();

  addRegion(uids: readonly string[]): void {
    for (const uid of uids) this.#region.add(uid);
  }

  addPage(uids: readonly string[]): void {
    for (const uid of uids) this.#page.add(uid);
  }

  ascend(uid: string): void {
    this.#ascending.add(uid);
  }

  /** Asks for the live dependents of the row; `changes` is given when it was done already and was cut short. */
  spread(uid: string, changes: number | null = null): void {
    if (this.#spreadAt.has(uid)) return;
    this.#spreadAt.set(uid, changes);
    this.#spreading.push(uid);
  }

  /** The row was examined: nobody need do so again for a reason from before. */
  examined(uid: string): void {
    this.#region.delete(uid);
    this.#ascending.delete(uid);
    this.#page.delete(uid);
  }

  /** The row is gone, or live after all: nothing is left to do about it. */
  done(uid: string): void {
    this.examined(uid);
    this.#spreadAt.delete(uid);
  }

  nextOfRegion(limit: number): readonly string[] {
    return takeFrom(this.#region, limit);
  }

  /** Up to `limit` of the rows ascending, together with what waits for them in turn. */
  nextAscending(limit: number, memory: Memory): readonly string[] {
    return withWaiters(takeFrom(this.#ascending, limit), limit, memory);
  }

  /** Up to `limit` rows to spread from, with the number of changes at the last time. */
  nextSeeds(limit: number): readonly { readonly uid: string; readonly changes: number | null }[] {
    const seeds: { uid: string; changes: number | null }[] = [];
    while (seeds.length < limit) {
      const uid = this.#spreading.pop();
      if (uid === undefined) break;
      const changes = this.#spreadAt.get(uid);
      if (changes === undefined) continue;
      this.#spreadAt.delete(uid);
      seeds.push({ uid, changes });
    }
    return seeds;
  }

  nextOfPage(limit: number): readonly string[] {
    return takeFrom(this.#page, limit);
  }

  /**
   * The rows with as many of the page as there is room for: a batch costs its round trips however few it takes. Not while something is to be
   * spread, which comes before the page.
   */
  filledFromPage(uids: readonly string[], limit: number): readonly string[] {
    if (this.#spreadAt.size > 0) return uids;
    for (const uid of uids) this.#page.delete(uid);
    return [...uids, ...takeFrom(this.#page, limit - uids.length)];
  }

  clear(): void {
    this.#region.clear();
    this.#ascending.clear();
    this.#spreading.length = 0;
    this.#spreadAt.clear();
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

/** A chain of blocked rows goes in one batch rather than a batch a row: whoever waits for a row of the batch joins it. */
function withWaiters(uids: string[], limit: number, memory: Memory): readonly string[] {
  const batch = new Set(uids);
  for (const uid of batch) {
    for (const waiter of memory.waitersOf(uid)) {
      if (batch.size >= limit) return [...batch];
      batch.add(waiter);
    }
  }
  return [...batch];
}
