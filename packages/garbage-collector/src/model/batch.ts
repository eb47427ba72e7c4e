import type { Cascade, CollectionDecision, ResourceIdentity } from '@platform/resources';

/** A dependent that blocks the removal of its owner, as it was when it was read. */
export interface Blocker {
  readonly uid: string;
  readonly revision: number;
  /** Whether it is not tombstoned yet. */
  readonly live: boolean;
}

/**
 * A row that the batch has locked, with what was read outside the batch after that. While it is locked, nothing can be created below
 * it or refer to it, so its set of dependents can only shrink.
 */
export interface LockedRow {
  readonly identity: ResourceIdentity;
  readonly revision: number;
  readonly tombstoned: boolean;
  /** Whether it is live and protected from deletion: no cascade tombstones it. */
  readonly protected: boolean;
  readonly finalizers: readonly string[];
  readonly owners: readonly { readonly uid: string; readonly blocking: boolean }[];
  /** One dependent outside the batch that blocks the row; null when there is none. */
  readonly blocker: Blocker | null;
  /** Whether a live, unprotected, non-blocking owner-reference dependent is outside the batch. Only read when `blocker` is null. */
  readonly liveOutside: boolean;
  /** For a tombstone: one protected live dependent outside the batch that does not block it; null when there is none. */
  readonly protectedOutside: Blocker | null;
  /** For a live row: its tombstoned parent and owners outside the batch. */
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
 * The decisions of `decideCollection`, and two more for a row that nothing blocks:
 * - `postpone`: a live dependent outside the batch must be tombstoned before the row is removed.
 * - `await`: a dependent is live and protected; the row waits until the protection is removed.
 */
export type BatchItemDecision = CollectionDecision | 'postpone' | 'await';

/** The outcome of a batch for one row. */
export interface BatchItemResult {
  readonly uid: string;
  readonly decision: BatchItemDecision;
  /** The revision after the batch. */
  readonly revision: number;
  /** Whether it has dependents outside the batch, of which some may be live. */
  readonly dependentsOutside: boolean;
  /** With `block`: a blocker, at its revision after the batch; with `await`: the protected dependent. */
  readonly blocker: Blocker | null;
  /** The rows that this row blocks, or blocked until it was removed: its parent, and the owners that it blocks by reference. */
  readonly blocks: readonly string[];
}

/** The writes of one transaction. */
export interface BatchPlan {
  readonly remove: readonly string[];
  readonly change: readonly RowChange[];
  readonly cascades: readonly Cascade[];
  readonly results: readonly BatchItemResult[];
}

/** A live dependent and the row that it depends on. */
export interface DependentEdge {
  readonly uid: string;
  readonly from: string;
}
