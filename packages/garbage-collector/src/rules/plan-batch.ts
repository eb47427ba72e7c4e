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
  const blockers = countBlockers(rows, batch);
  const decide = (row: LockedRow): CollectionDecision =>
    decideCollection({
      tombstoned: row.tombstoned || cascades.has(row.identity.uid),
      finalizers: row.finalizers,
      blocked: (blockers.get(row.identity.uid) ?? 0) > 0,
    });
  const awaited = (row: LockedRow) => protectedDependent(row, dependents);
  const removed = removeUnblocked(
    batch,
    blockers,
    (row) => !row.liveOutside && decide(row) === 'remove' && awaited(row) === null,
  );

  const remaining = rows.filter(({ identity }) => !removed.has(identity.uid));
  const changes = new Map<string, RowChange>();
  for (const row of remaining) {
    const { uid } = row.identity;
    const tombstone = cascades.has(uid);
    const finalizer = finalizerChange(decide(row), row.finalizers.includes(cascadeFinalizer));
    if (tombstone || finalizer !== 'keep') changes.set(uid, { uid, tombstone, cascadeFinalizer: finalizer });
  }
  const revisionOf = ({ identity, revision }: LockedRow) => revision + (changes.has(identity.uid) ? 1 : 0);
  const blockerOf = (row: LockedRow): Blocker | null => {
    // Prefers a blocker outside the batch, because those inside are decided again together with the row.
    if (row.blocker !== null) return row.blocker;
    const { uid } = row.identity;
    const inside = dependents
      .get(uid)
      ?.find((dependent) => !removed.has(dependent.identity.uid) && blocks(dependent, uid));
    if (inside === undefined) return null;
    return { uid: inside.identity.uid, revision: revisionOf(inside), live: inside.protected };
  };
  const resultOf = (row: LockedRow): BatchItemResult => {
    const { uid } = row.identity;
    let decision: BatchItemDecision = decide(row);
    let blocker: Blocker | null = null;
    if (decision === 'block') blocker = blockerOf(row);
    else if (decision !== 'ignore' && !removed.has(uid)) {
      // The row must not lose a live dependent, nor be forgotten while one is still to be tombstoned.
      blocker = awaited(row);
      if (row.liveOutside) decision = 'postpone';
      else if (blocker !== null) decision = 'await';
    }
    const dependentsOutside = row.blocker !== null || row.liveOutside;
    return { uid, decision, revision: revisionOf(row), blocker, dependentsOutside, blocks: blockedBy(row) };
  };
  return {
    remove: bottomUp(removed, dependents),
    change: [...changes.values()],
    cascades: [...cascades.values()],
    results: [...remaining, ...removed.values()].map(resultOf),
  };
}

/** Counts the blockers of each row: every one inside the batch, and one for all outside. */
function countBlockers(rows: readonly LockedRow[], batch: Batch): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (uid: string) => counts.set(uid, (counts.get(uid) ?? 0) + 1);
  for (const row of rows) {
    if (row.blocker !== null) add(row.identity.uid);
    for (const owner of blockedBy(row)) if (batch.has(owner)) add(owner);
  }
  return counts;
}

/** Removes every row that is free, then the rows that this unblocks, and so on. Lowers `blockers`. */
function removeUnblocked(
  batch: Batch,
  blockers: Map<string, number>,
  isFree: (row: LockedRow) => boolean,
): Batch {
  const removed = new Map<string, LockedRow>();
  const queue = [...batch.values()];
  // The loop goes on with what it adds.
  for (const row of queue) {
    const { uid } = row.identity;
    if (removed.has(uid) || !isFree(row)) continue;
    removed.set(uid, row);
    for (const owner of blockedBy(row)) {
      const unblocked = batch.get(owner);
      if (unblocked === undefined) continue;
      const left = (blockers.get(owner) ?? 0) - 1;
      blockers.set(owner, left);
      if (left === 0) queue.push(unblocked);
    }
  }
  return removed;
}

function blockedBy(row: LockedRow): readonly string[] {
  return ownersOf(row).filter((owner) => blocks(row, owner));
}

/** A protected dependent that does not block the row, but has to be tombstoned before the row is removed. */
function protectedDependent(row: LockedRow, dependents: Dependents): Blocker | null {
  const inside = dependents.get(row.identity.uid)?.find((dependent) => dependent.protected);
  if (inside === undefined) return row.protectedOutside;
  return { uid: inside.identity.uid, revision: inside.revision, live: true };
}

function finalizerChange(decision: CollectionDecision, present: boolean): RowChange['cascadeFinalizer'] {
  if (decision === 'block' && !present) return 'ensure';
  return decision === 'hold' && present ? 'drop' : 'keep';
}

/** The removed rows, each after its dependents: the change log shows them in this order. */
function bottomUp(removed: Batch, dependents: Dependents): readonly string[] {
  const ordered = new Set<string>();
  const visited = new Set<string>();
  const visit = (uid: string): void => {
    if (visited.has(uid) || !removed.has(uid)) return;
    visited.add(uid);
    for (const dependent of dependents.get(uid) ?? []) visit(dependent.identity.uid);
    ordered.add(uid);
  };
  for (const uid of removed.keys()) visit(uid);
  return [...ordered];
}
