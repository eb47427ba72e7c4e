import { cascadeFinalizer, decideCollection } from '@platform/resources';
import type { BatchItemResult, BatchPlan, Blocker, LockedRow, RowChange } from '../model/batch.ts';
import { type Batch, blocks, cascadeInBatch, dependentsInBatch, ownersOf } from './cascade-in-batch.ts';

/**
 * Applies `try_collect` to the rows of one batch until nothing changes any more, and returns what to write. A tree that is complete in
 * the batch is removed in one step, whatever its depth.
 *
 *     root  tombstoned            root  blocked by a         root  blocked by b: stays, cascade finalizer ensured
 *     ├─ a  live          ->      ├─ a  tombstoned   ->      (a and a1 removed; each reported as a cascade)
 *     │  └─ a1  live              │  └─ a1  tombstoned
 *     └─ b  has a finalizer       └─ b  has a finalizer      └─ b  stays
 *
 * A live row changes only when a tombstone cascades to it, a removed row has no live dependent, and each row is written once. Removals are listed from the bottom up.
 */
export function planBatch(rows: readonly LockedRow[]): BatchPlan {
  const batch: Batch = new Map(rows.map((row) => [row.identity.uid, row]));
  const cascades = cascadeInBatch(batch);
  const terminating = rows.filter((row) => row.tombstoned || cascades.has(row.identity.uid));
  const blockerCounts = countBlockers(terminating, batch);
  const dependents = dependentsInBatch(batch);
  const awaited = (row: LockedRow) => protectedDependent(row, dependents.get(row.identity.uid) ?? []);
  const removed = removeUnblocked(terminating, batch, blockerCounts, awaited);

  const change: RowChange[] = [];
  const results: BatchItemResult[] = [];
  const revisions = new Map<string, number>();
  const remaining = rows.filter((row) => !removed.has(row.identity.uid));
  for (const row of remaining) {
    const { uid } = row.identity;
    const update = changeOf(row, cascades.has(uid), (blockerCounts.get(uid) ?? 0) > 0);
    if (update !== null) change.push(update);
    revisions.set(uid, row.revision + (update === null ? 0 : 1));
  }
  for (const row of remaining) {
    const { uid } = row.identity;
    const decision = decideCollection({
      tombstoned: row.tombstoned || cascades.has(uid),
      finalizers: row.finalizers,
      blocked: (blockerCounts.get(uid) ?? 0) > 0,
    });
    // The row must not lose a live dependent, nor be forgotten while one is still to be tombstoned.
    const unblocked = decision === 'remove' || decision === 'hold';
    const blocker =
      decision === 'block'
        ? blockerOf(row, dependents.get(uid) ?? [], revisions)
        : unblocked
          ? awaited(row)
          : null;
    results.push({
      uid,
      decision:
        unblocked && row.liveOutside ? 'postpone' : unblocked && blocker !== null ? 'await' : decision,
      revision: revisions.get(uid) as number,
      blocker,
      dependentsMarked: row.blocker === null && !row.liveOutside,
      blocks: blockedBy(row),
    });
  }
  for (const row of removed.values()) {
    results.push({
      uid: row.identity.uid,
      decision: 'remove',
      revision: row.revision,
      blocker: null,
      dependentsMarked: true,
      blocks: blockedBy(row),
    });
  }
  return { remove: bottomUp(removed, dependents), change, cascades: [...cascades.values()], results };
}

/** Counts the blockers of each row: every one inside the batch, and one for all outside. */
function countBlockers(terminating: readonly LockedRow[], batch: Batch): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (uid: string) => counts.set(uid, (counts.get(uid) ?? 0) + 1);
  for (const row of terminating) if (row.blocker !== null) add(row.identity.uid);
  for (const row of batch.values()) {
    for (const owner of ownersOf(row)) if (batch.has(owner) && blocks(row, owner)) add(owner);
  }
  return counts;
}

/** Removes every row without blocker and finalizer, then the rows that this unblocks, and so on. Lowers `blockerCounts`. */
function removeUnblocked(
  terminating: readonly LockedRow[],
  batch: Batch,
  blockerCounts: Map<string, number>,
  awaited: (row: LockedRow) => Blocker | null,
): ReadonlyMap<string, LockedRow> {
  const terminatingUids = new Set(terminating.map((row) => row.identity.uid));
  const removed = new Map<string, LockedRow>();
  const queue = [...terminating];
  for (let next = 0; next < queue.length; next += 1) {
    const row = queue[next] as LockedRow;
    const { uid } = row.identity;
    if (removed.has(uid) || row.liveOutside || awaited(row) !== null) continue;
    const blocked = (blockerCounts.get(uid) ?? 0) > 0;
    if (decideCollection({ tombstoned: true, finalizers: row.finalizers, blocked }) !== 'remove') continue;
    removed.set(uid, row);
    for (const owner of ownersOf(row)) {
      if (!batch.has(owner) || !blocks(row, owner)) continue;
      const left = (blockerCounts.get(owner) ?? 0) - 1;
      blockerCounts.set(owner, left);
      if (left === 0 && terminatingUids.has(owner)) queue.push(batch.get(owner) as LockedRow);
    }
  }
  return removed;
}

/** The removed rows, each after its dependents: the change log shows them in this order. */
function bottomUp(
  removed: ReadonlyMap<string, LockedRow>,
  dependents: ReturnType<typeof dependentsInBatch>,
): readonly string[] {
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

/** The update of a row that stays, or null when it is already as it should be. */
function changeOf(row: LockedRow, tombstone: boolean, blocked: boolean): RowChange | null {
  if (!row.tombstoned && !tombstone) return null;
  const present = row.finalizers.includes(cascadeFinalizer);
  const decision = decideCollection({ tombstoned: true, finalizers: row.finalizers, blocked });
  const wanted = decision === 'block' ? 'ensure' : decision === 'hold' ? 'drop' : 'keep';
  const needed = wanted === 'ensure' ? !present : wanted === 'drop' && present;
  if (!tombstone && !needed) return null;
  return { uid: row.identity.uid, tombstone, cascadeFinalizer: needed ? wanted : 'keep' };
}

function blockedBy(row: LockedRow): readonly string[] {
  return ownersOf(row).filter((owner) => blocks(row, owner));
}

/** Prefers a blocker outside the batch, because those inside are decided again together with the row. */
function blockerOf(
  row: LockedRow,
  dependents: readonly LockedRow[],
  revisions: ReadonlyMap<string, number>,
): Blocker | null {
  if (row.blocker !== null) return row.blocker;
  for (const dependent of dependents) {
    const { uid } = dependent.identity;
    const revision = revisions.get(uid);
    const live = dependent.protected;
    if (revision !== undefined && blocks(dependent, row.identity.uid)) return { uid, revision, live };
  }
  return null;
}

/** A protected dependent that does not block the row, but has to be tombstoned before the row is removed. */
function protectedDependent(row: LockedRow, dependents: readonly LockedRow[]): Blocker | null {
  const inside = dependents.find((dependent) => dependent.protected);
  if (inside === undefined) return row.protectedOutside;
  return { uid: inside.identity.uid, revision: inside.revision, live: true };
}
