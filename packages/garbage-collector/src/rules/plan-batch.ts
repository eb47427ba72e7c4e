import {
  type Cascade,
  type CollectionDecision,
  cascadeFinalizer,
  decideCollection,
} from '@platform/resources';
import type {
  BatchItemDecision,
  BatchItemResult,
  BatchPlan,
  Blocker,
  LockedRow,
  RowChange,
} from '../model/batch.ts';
import {
  type Batch,
  blocks,
  cascadeInBatch,
  type Dependents,
  dependentsIn,
  ownersOf,
} from './cascade-in-batch.ts';

/**
 * Applies `decideCollection` to the rows of one batch until nothing changes any more, and returns what to write. A tree that is complete in
 * the batch is removed in one step, whatever its depth.
 *
 *     root  tombstoned            root  blocked by a         root  blocked by b: stays, cascade finalizer ensured
 *     ├─ a  live          ->      ├─ a  tombstoned   ->      (a and a1 removed; each reported as a cascade)
 *     │  └─ a1  live              │  └─ a1  tombstoned
 *     └─ b  has a finalizer       └─ b  has a finalizer      └─ b  stays
 *
 * A live row changes only when a tombstone cascades to it, a removed row has no live dependent, and each row is written once. Removals are
 * listed from the bottom up.
 */
export function planBatch(rows: readonly LockedRow[]): BatchPlan {
  const batch: Batch = new Map(rows.map((row) => [row.identity.uid, row]));
  const dependents = dependentsIn(batch);
  const cascades = cascadeInBatch(batch, dependents);
  const decisions = new BatchDecisions(dependents, cascades);
  const removed = decisions.removeAll(bottomUp(rows, dependents));
  const remaining = rows.filter(({ identity }) => !removed.has(identity.uid));
  const changes = changesOf(remaining, cascades, decisions);
  return {
    remove: [...removed.keys()],
    change: [...changes.values()],
    cascades: [...cascades.values()],
    results: [...remaining, ...removed.values()].map((row) => resultOf(row, changes, decisions)),
  };
}

/** Decides about the rows of a batch while rows are removed from it. */
class BatchDecisions {
  readonly #dependents: Dependents;
  readonly #cascades: ReadonlyMap<string, Cascade>;
  readonly #removed = new Map<string, LockedRow>();

  constructor(dependents: Dependents, cascades: ReadonlyMap<string, Cascade>) {
    this.#dependents = dependents;
    this.#cascades = cascades;
  }

  /** Removes every row that nothing holds, and returns those. One pass finds all, but for owner references in a circle, which have no bottom. */
  removeAll(ordered: Iterable<LockedRow>): ReadonlyMap<string, LockedRow> {
    let removedBefore: number;
    do {
      removedBefore = this.#removed.size;
      for (const row of ordered) if (this.itemOf(row) === 'remove') this.#removed.set(row.identity.uid, row);
    } while (this.#removed.size > removedBefore);
    return this.#removed;
  }

  /** The decision about the row by itself. */
  of(row: LockedRow): CollectionDecision {
    return decideCollection({
      tombstoned: row.tombstoned || this.#cascades.has(row.identity.uid),
      finalizers: row.finalizers,
      blocked: row.blocker !== null || this.blockerInside(row) !== undefined,
    });
  }

  /** The decision about the row and its dependents. */
  itemOf(row: LockedRow): BatchItemDecision {
    if (this.#removed.has(row.identity.uid)) return 'remove';
    const decision = this.of(row);
    if (decision === 'ignore' || decision === 'block') return decision;
    // The row must not lose a live dependent, nor be forgotten while one is still to be tombstoned.
    if (row.liveOutside) return 'postpone';
    return row.protectedOutside === null && this.protectedInside(row) === undefined ? decision : 'await';
  }

  /** A dependent in the batch that blocks the row and is not removed. */
  blockerInside({ identity: { uid } }: LockedRow): LockedRow | undefined {
    const dependents = this.#dependents.get(uid);
    return dependents?.find((one) => !this.#removed.has(one.identity.uid) && blocks(one, uid));
  }

  /** A dependent in the batch that is live and protected. */
  protectedInside({ identity: { uid } }: LockedRow): LockedRow | undefined {
    return this.#dependents.get(uid)?.find((dependent) => dependent.protected);
  }
}

/** The updates of the rows that stay, by uid. */
function changesOf(
  remaining: readonly LockedRow[],
  cascades: ReadonlyMap<string, Cascade>,
  decisions: BatchDecisions,
): ReadonlyMap<string, RowChange> {
  const changes = new Map<string, RowChange>();
  for (const row of remaining) {
    const { uid } = row.identity;
    const tombstone = cascades.has(uid);
    const finalizer = finalizerChange(decisions.of(row), row.finalizers.includes(cascadeFinalizer));
    if (tombstone || finalizer !== 'keep') changes.set(uid, { uid, tombstone, cascadeFinalizer: finalizer });
  }
  return changes;
}

function resultOf(
  row: LockedRow,
  changes: ReadonlyMap<string, RowChange>,
  decisions: BatchDecisions,
): BatchItemResult {
  const revisionOf = ({ identity, revision }: LockedRow) => revision + (changes.has(identity.uid) ? 1 : 0);
  const blockerOf = (inside: LockedRow | undefined): Blocker | null =>
    inside === undefined
      ? null
      : { uid: inside.identity.uid, revision: revisionOf(inside), live: inside.protected };
  const decision = decisions.itemOf(row);
  let blocker: Blocker | null = null;
  // Prefers a blocker outside the batch, because those inside are decided again together with the row.
  if (decision === 'block') blocker = row.blocker ?? blockerOf(decisions.blockerInside(row));
  if (decision === 'await') blocker = blockerOf(decisions.protectedInside(row)) ?? row.protectedOutside;
  return {
    uid: row.identity.uid,
    decision,
    revision: revisionOf(row),
    blocker,
    dependentsOutside: row.blocker !== null || row.liveOutside,
    blocks: ownersOf(row).filter((owner) => blocks(row, owner)),
  };
}

function finalizerChange(decision: CollectionDecision, present: boolean): RowChange['cascadeFinalizer'] {
  if (decision === 'block' && !present) return 'ensure';
  return decision === 'hold' && present ? 'drop' : 'keep';
}

/** The rows, each after its dependents: the change log shows removals in this order. */
function bottomUp(rows: readonly LockedRow[], dependents: Dependents): Iterable<LockedRow> {
  const ordered = new Set<LockedRow>();
  const visited = new Set<LockedRow>();
  const stack = rows.toReversed();
  for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
    if (visited.has(row)) {
      ordered.add(row);
      continue;
    }
    visited.add(row);
    stack.push(row);
    for (const dependent of dependents.get(row.identity.uid)?.toReversed() ?? []) stack.push(dependent);
  }
  return ordered;
}
