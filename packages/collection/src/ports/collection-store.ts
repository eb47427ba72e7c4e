import type { BatchPlan, LockedRow, Reached } from '../model/batch.ts';
import type { Fence } from './lease.ts';

/** A place in the order in which tombstones are collected: oldest first, ties by uid. */
export interface TombstonePosition {
  /** `deletionTimestamp`, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly uid: string;
}

/** A tombstoned row as the scan sees it. */
export interface Tombstone extends TombstonePosition {
  readonly revision: number;
}

/** A range of tombstones: those after `after` (from the oldest on when null), none younger than `until` (to the youngest when null). */
export interface TombstoneRange {
  readonly after: TombstonePosition | null;
  readonly until: number | null;
}

/**
 * What happens when somebody else has a row of the batch locked:
 * - `skip`: it is left out, so that no transaction of a client ever holds up a sweep;
 * - `wait`: the lock is waited for, for a fraction of a second, so that a row that is written all the time gets its turn.
 */
export type Patience = 'skip' | 'wait';

/** How a batch ended. `deposed` and `paused` wrote nothing. */
export type BatchOutcome =
  | { readonly outcome: 'committed'; readonly plan: BatchPlan }
  | { readonly outcome: 'deposed' }
  | { readonly outcome: 'paused' };

/** What the collector leaves behind, for metrics. */
export interface Backlog {
  /** Tombstones, counted up to a bound of the store (100,000). */
  readonly tombstones: number;
  /** `deletionTimestamp` of the oldest, in milliseconds since the Unix epoch; null when there is none. */
  readonly oldest: number | null;
}

/**
 * The rows as the collector works on them. No method reads more than `limit` rows, or keeps the plan of its statements to the
 * planner's guess of how many rows are tombstoned.
 *
 * Each method throws `Problem` `unavailable` when the database cannot be reached or cannot serve, `contention` when it lost against
 * others more often than it retries, and {@link RowsRefused} when the database refused what was written.
 */
export interface CollectionStore {
  /** Must return up to `limit` tombstoned rows of the range, oldest first, ties by uid. */
  tombstones(range: TombstoneRange, limit: number): Promise<readonly Tombstone[]>;

  /** Must return the revisions of those rows that exist. */
  revisions(uids: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Must follow structural children and owner-reference dependents from the given rows over live rows only, any number of levels,
   * and return each edge that was followed, nearest first, until there are `limit`. No locks are taken: what is found is
   * verified by the batch.
   */
  reach(uids: readonly string[], limit: number): Promise<readonly Reached[]>;

  /**
   * Must return the given rows, and the tombstones among their parents and owners, theirs, and so on, nearest first, until there are
   * `limit`. No locks are taken.
   */
  climb(uids: readonly string[], limit: number): Promise<readonly string[]>;

  /**
   * Must, in one transaction: lock the rows `FOR UPDATE` in uid order, look at what is outside the batch after that, apply what `settle`
   * makes of them, and commit. `settle` is pure and may run more than once. Rows that are gone, or skipped, are
   * not handed to it. Tombstones are stamped with the transaction's now; every changed row grows by one revision.
   * Nothing happens unless `fence` holds at that moment and the collector is not paused.
   */
  collect(
    batch: { readonly uids: readonly string[]; readonly patience: Patience; readonly fence: Fence },
    settle: (rows: readonly LockedRow[]) => BatchPlan,
  ): Promise<BatchOutcome>;

  /** Must count what is left. */
  backlog(): Promise<Backlog>;
}

/** The database refused to write rows of a batch, for a reason that lies in one of them: a constraint, a trigger. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused';
  /** The SQLSTATE or another stable word for the reason; logged. */
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.reason = reason;
  }
}
