import type { Cascade } from '@platform/resources';
import type { BatchPlan, DependentEdge, LockedRow } from '../model/batch.ts';
import type { Fence } from './lease.ts';

/** A position in the order in which tombstones are collected: oldest first, ties by uid. */
export interface TombstonePosition {
  /** `deletionTimestamp`, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly uid: string;
}

/** A tombstoned row as the scan reads it. */
export interface Tombstone extends TombstonePosition {
  readonly revision: number;
}

/** The tombstones after `after` (null: from the oldest) and not younger than `until` (null: to the youngest). */
export interface TombstoneRange {
  readonly after: TombstonePosition | null;
  readonly until: number | null;
}

/**
 * How a batch treats a row that another transaction has locked:
 * - `skip`: leaves it out, so that no client's transaction delays the collector;
 * - `wait`: waits a fraction of a second, so that a row that is written all the time is collected in the end.
 */
export type LockWait = 'skip' | 'wait';

/** The result of a transaction of the leader. `deposed` and `paused` wrote nothing. */
export type Fenced<Result> =
  | ({ readonly outcome: 'committed' } & Result)
  | { readonly outcome: 'deposed' | 'paused' };

/** Dependents of one deleted row that a cascade has reached and that are not marked as deleted yet. */
export interface PendingDependents {
  readonly owner: string;
  /** The `deletionTimestamp` that they get, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly dependents: readonly string[];
}

/** Dependents that were marked as deleted, and the uids of those among them that were removed at once. */
export interface MarkedDependents {
  readonly cascades: readonly Cascade[];
  readonly removed: readonly string[];
}

/** The tombstones that are not collected yet, for metrics. */
export interface Backlog {
  /** Number of tombstones, counted up to a limit of the store (100,000). */
  readonly tombstones: number;
  /** `deletionTimestamp` of the oldest, in milliseconds since the Unix epoch; null when there is none. */
  readonly oldest: number | null;
}

/**
 * The resource rows, as the garbage collector reads and writes them. No method reads more than `limit` rows, and no query plan depends on
 * the planner's estimate of how many rows are tombstoned.
 *
 * Each method throws `StorageUnavailable` when the database cannot be reached or cannot serve, `Contention` when its retries are
 * exhausted, and {@link RowsRefused} when the database rejects what was written.
 */
export interface GarbageCollectorStore {
  /** Must return up to `limit` tombstoned rows of the range, oldest first, ties by uid. */
  tombstones(range: TombstoneRange, limit: number): Promise<readonly Tombstone[]>;

  /** Must return the revisions of the rows that still exist. The caller bounds `uids`. */
  revisions(uids: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Must follow structural children and owner-reference dependents from the given rows, over live rows that are not protected, any number of levels.
   * Must return each edge it followed, nearest first, up to `limit`. Takes no locks: the batch verifies what was found.
   */
  traverseDependents(uids: readonly string[], limit: number): Promise<readonly DependentEdge[]>;

  /**
   * Must return the given rows, then the tombstones among their parents and owners, then those of the next level, and so on, nearest first,
   * up to `limit`. Takes no locks.
   */
  findDeletedAncestors(uids: readonly string[], limit: number): Promise<readonly string[]>;

  /**
   * Must do the following in one transaction: lock the rows `FOR UPDATE` in uid order, read what is outside the batch, write the plan
   * that `plan` makes of them, and commit. `plan` is pure and may run more than once. It does not see rows that are gone or skipped.
   * Tombstones get the transaction's timestamp; the revision of every changed row grows by one.
   * Must write nothing unless `fence` holds at that moment and the collector is not paused.
   */
  collectBatch(
    batch: { readonly uids: readonly string[]; readonly lockWait: LockWait; readonly fence: Fence },
    plan: (rows: readonly LockedRow[]) => BatchPlan,
  ): Promise<Fenced<{ readonly plan: BatchPlan }>>;

  /**
   * Must return up to `limit` dependents of the oldest deletion that left its dependents to the collector, null when there is
   * none. Must forget deletions whose dependents are all marked as deleted.
   */
  pendingDependents(limit: number): Promise<PendingDependents | null>;

  /**
   * Must mark the dependents as deleted, as the deletion of the owner would have done, in one transaction, and return those that it marked.
   * May remove those without finalizers and dependents. Must leave out rows that are tombstones, gone or locked, and write nothing unless
   * `fence` holds and the collector is not paused.
   */
  markDependentsDeleted(pending: {
    readonly owner: string;
    readonly uids: readonly string[];
    readonly fence: Fence;
  }): Promise<Fenced<MarkedDependents>>;

  /** Must count the tombstones since that moment, in milliseconds since the Unix epoch; null counts all. */
  backlog(since: number | null): Promise<Backlog>;
}

/** The database refused the writes of a batch because of one of its rows, for example by a constraint or a trigger. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused';
  /** The SQLSTATE, or another stable word; logged. */
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.reason = reason;
  }
}
