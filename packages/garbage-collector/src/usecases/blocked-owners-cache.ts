import type { Blocker } from '../model/batch.ts';
import type { GarbageCollectorStore, Tombstone } from '../ports/garbage-collector-store.ts';

/** A tombstone that a batch could not remove. */
export interface BlockedOwner {
  readonly revision: number;
  /** A dependent that blocks it; null when its own finalizers hold it. */
  readonly blocker: Blocker | null;
}

/** Rows in the cache, at most: about 15 MB. */
const defaultLimit = 50_000;

/**
 * The tombstones that the leader knows to be held. The scan skips them while neither the row nor its blocker has a new revision: a
 * tombstone gets no new dependents, its finalizers are part of the row, and a blocker stops blocking only by a write or its removal.
 * Bounded: an evicted row is collected again.
 */
export class BlockedOwnersCache extends Map<string, BlockedOwner> {
  readonly #limit: number;

  constructor(limit = defaultLimit) {
    super();
    this.#limit = limit;
  }

  /** The row becomes the newest; the oldest leaves a full cache. */
  override set(uid: string, row: BlockedOwner): this {
    this.delete(uid);
    super.set(uid, row);
    if (this.size > this.#limit) this.delete(this.keys().next().value as string);
    return this;
  }

  /** Removes the tombstones from the cache that have changed or whose blocker has, and returns them with those that were not cached. */
  async takeChanged(
    tombstones: readonly Tombstone[],
    store: Pick<GarbageCollectorStore, 'revisions'>,
  ): Promise<readonly string[]> {
    const cached = tombstones.map(({ uid, revision }) => {
      const row = this.get(uid);
      return { uid, row: row?.revision === revision ? row : undefined };
    });
    const blockers = new Set(cached.flatMap(({ row }) => row?.blocker?.uid ?? []));
    const revisions = blockers.size === 0 ? new Map<string, number>() : await store.revisions([...blockers]);
    const changed = cached.filter(
      ({ row }) =>
        row === undefined ||
        (row.blocker !== null && revisions.get(row.blocker.uid) !== row.blocker.revision),
    );
    for (const { uid } of changed) this.delete(uid);
    return changed.map(({ uid }) => uid);
  }
}
