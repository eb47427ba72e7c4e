import { type CollectionDecision, cascadeFinalizer, decideCollection } from '@platform/resources';
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
  const removed = new Map<string, LockedRow>();

  const blockerInside = ({ identity: { uid } }: LockedRow) =>
    dependents.get(uid)?.find((dependent) => !removed.has(dependent.identity.uid) && blocks(dependent, uid));
  const protectedInside = ({ identity: { uid } }: LockedRow) =>
    dependents.get(uid)?.find((dependent) => dependent.protected);
  const decide = (row: LockedRow): CollectionDecision =>
    decideCollection({
      tombstoned: row.tombstoned || cascades.has(row.identity.uid),
      finalizers: row.finalizers,
      blocked: row.blocker !== null || blockerInside(row) !== undefined,
    });
  const decideItem = (row: LockedRow): BatchItemDecision => {
    const decision = decide(row);
    if (decision === 'ignore' || decision === 'block') return decision;
    // The row must not lose a live dependent, nor be forgotten while one is still to be tombstoned.
    if (row.liveOutside) return 'postpone';
    return row.protectedOutside === null && protectedInside(row) === undefined ? decision : 'await';
  };

  const ordered = bottomUp(rows, dependents);
  let removedBefore: number;
  // One pass finds all, but for owner references in a circle, which have no bottom.
  do {
    removedBefore = removed.size;
    for (const row of ordered) {
      const { uid } = row.identity;
      if (!removed.has(uid) && decideItem(row) === 'remove') removed.set(uid, row);
    }
  } while (removed.size > removedBefore);

  const remaining = rows.filter(({ identity }) => !removed.has(identity.uid));
  const changes = new Map<string, RowChange>();
  for (const row of remaining) {
    const { uid } = row.identity;
    const tombstone = cascades.has(uid);
    const finalizer = finalizerChange(decide(row), row.finalizers.includes(cascadeFinalizer));
    if (tombstone || finalizer !== 'keep') changes.set(uid, { uid, tombstone, cascadeFinalizer: finalizer });
  }

  const revisionOf = ({ identity, revision }: LockedRow) => revision + (changes.has(identity.uid) ? 1 : 0);
  const blockerOf = (row: LockedRow | undefined): Blocker | null =>
    row === undefined ? null : { uid: row.identity.uid, revision: revisionOf(row), live: row.protected };
  const resultOf = (row: LockedRow): BatchItemResult => {
    const decision = removed.has(row.identity.uid) ? 'remove' : decideItem(row);
    let blocker: Blocker | null = null;
    // Prefers a blocker outside the batch, because those inside are decided again together with the row.
    if (decision === 'block') blocker = row.blocker ?? blockerOf(blockerInside(row));
    if (decision === 'await') blocker = blockerOf(protectedInside(row)) ?? row.protectedOutside;
    return {
      uid: row.identity.uid,
      decision,
      revision: revisionOf(row),
      blocker,
      dependentsOutside: row.blocker !== null || row.liveOutside,
      blocks: ownersOf(row).filter((owner) => blocks(row, owner)),
    };
  };
  return {
    remove: [...removed.keys()],
    change: [...changes.values()],
    cascades: [...cascades.values()],
    results: [...remaining, ...removed.values()].map(resultOf),
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
