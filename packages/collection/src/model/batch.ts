import type { Cascade, CollectionDecision, ResourceIdentity } from '@platform/resources';

/** A dependent that keeps its owner from being collected, as it was when it was seen. */
export interface Witness {
  readonly uid: string;
  readonly revision: number;
  /** Whether it is not tombstoned yet. */
  readonly live: boolean;
}

/**
 * A row that a batch holds the lock of, with what was seen outside the batch after it was locked. From then on nothing can be
 * created under it or refer to it: what depends on it can only become less.
 */
export interface LockedRow {
  readonly identity: ResourceIdentity;
  readonly revision: number;
  readonly tombstoned: boolean;
  readonly finalizers: readonly string[];
  readonly owners: readonly { readonly uid: string; readonly blocking: boolean }[];
  /** Some dependent outside the batch that blocks the row, or null when there is none. */
  readonly blocker: Witness | null;
  /** Whether a live owner-reference dependent that does not block is outside the batch. Only looked up when `blocker` is null. */
  readonly liveOutside: boolean;
  /** For a live row: its parent and owners outside the batch that are tombstoned. */
  readonly tombstonedOwners: readonly ResourceIdentity[];
}

/** One row to update. */
export interface RowChange {
  readonly uid: string;
  /** Whether the row is live and becomes tombstoned. */
  readonly tombstone: boolean;
  readonly cascadeFinalizer: 'keep' | 'ensure' | 'drop';
}

/**
 * Where a row stands after its batch. The words are those of `try_collect`, and one more:
 * - `postpone`: nothing blocks the row, but a live dependent outside the batch must be tombstoned before the row may go.
 */
export type Standing = CollectionDecision | 'postpone';

/** What a batch made of one row. */
export interface Verdict {
  readonly uid: string;
  readonly standing: Standing;
  /** The revision after the batch. */
  readonly revision: number;
  /** With `block`: a blocker, at its revision after the batch. */
  readonly witness: Witness | null;
  /** Whether every dependent of the row is known to be tombstoned or gone. It stays so: a tombstone gets no new dependents. */
  readonly spread: boolean;
  /** What the row blocks, or blocked until it was removed: its parent, and the owners whose reference says so. */
  readonly blocks: readonly string[];
}

/** What one transaction does. */
export interface BatchPlan {
  readonly remove: readonly string[];
  readonly change: readonly RowChange[];
  readonly cascades: readonly Cascade[];
  readonly verdicts: readonly Verdict[];
}

/** A live row that deletion will reach, and the row it was reached from. */
export interface Reached {
  readonly uid: string;
  readonly from: string;
}
