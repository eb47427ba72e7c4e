import type { Blocker } from '../model/batch.ts';

/** A tombstone that a batch could not remove. */
export interface BlockedOwner {
  readonly revision: number;
  /** A dependent that blocks it; null when its own finalizers hold it. */
  readonly blocker: Blocker | null;
  /** Whether none of its dependents is live any more. */
  readonly dependentsMarked: boolean;
  /** How many batches in a row could not remove it. */
  readonly attempts: number;
}

/**
 * The tombstones that the leader knows to be held. While neither the revision of the row nor that of its blocker has changed, another
 * attempt would give the same result: a tombstone gets no new dependents, its finalizers are part of the row, and a blocker cannot
 * stop blocking without being written or removed. So the scan skips such rows. Bounded: an evicted row is simply examined again.
 */
export class BlockedOwnersCache {
  readonly #limit: number;
  readonly #rows = new Map<string, BlockedOwner>();
  readonly #ownersByBlocker = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(uid: string): BlockedOwner | undefined {
    return this.#rows.get(uid);
  }

  /** Stores the result of the latest batch, in place of the earlier one. */
  set(uid: string, found: Omit<BlockedOwner, 'attempts'>): void {
    const row = { ...found, attempts: (this.#rows.get(uid)?.attempts ?? 0) + 1 };
    this.delete(uid);
    this.#rows.set(uid, row);
    if (row.blocker !== null) {
      const owners = this.#ownersByBlocker.get(row.blocker.uid);
      if (owners === undefined) this.#ownersByBlocker.set(row.blocker.uid, new Set([uid]));
      else owners.add(uid);
    }
    if (this.#rows.size > this.#limit) this.delete(this.#rows.keys().next().value as string);
  }

  /** Records that none of the row's dependents is live any more. Returns false when the row is not cached. */
  setDependentsMarked(uid: string): boolean {
    const row = this.#rows.get(uid);
    if (row !== undefined) this.#rows.set(uid, { ...row, dependentsMarked: true });
    return row !== undefined;
  }

  delete(uid: string): void {
    const row = this.#rows.get(uid);
    if (row === undefined) return;
    this.#rows.delete(uid);
    if (row.blocker === null) return;
    const owners = this.#ownersByBlocker.get(row.blocker.uid);
    owners?.delete(uid);
    if (owners?.size === 0) this.#ownersByBlocker.delete(row.blocker.uid);
  }

  /** The cached rows whose blocker is that row. */
  blockedBy(uid: string): readonly string[] {
    return [...(this.#ownersByBlocker.get(uid) ?? [])];
  }

  clear(): void {
    this.#rows.clear();
    this.#ownersByBlocker.clear();
  }
}
