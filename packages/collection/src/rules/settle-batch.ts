import { cascadeFinalizer, decideCollection } from '@platform/resources';
import type { BatchPlan, LockedRow, RowChange, Verdict, Witness } from '../model/batch.ts';
import { type Batch, blocks, dependentsInside, ownersOf, spreadTombstones } from './spread-tombstones.ts';

/**
 * Plays `try_collect` on the rows of one batch until nothing changes any more, and says what that leaves to write: a tree that is
 * whole in the batch goes in one step, whatever its depth.
 *
 *     root  tombstoned            root  blocked by a         root  blocked by b: stays, cascade finalizer ensured
 *     ├─ a  live          ->      ├─ a  reached      ->      (a and a1 removed; each reported as a cascade)
 *     │  └─ a1  live              │  └─ a1  reached
 *     └─ b  held                  └─ b  held                 └─ b  stays
 *
 * A live row is only touched when a tombstone reaches it, a removed row has no live dependent, and each row is written once.
 */
export function settleBatch(rows: readonly LockedRow[]): BatchPlan {
  const batch: Batch = new Map(rows.map((row) => [row.identity.uid, row]));
  const cascades = spreadTombstones(batch);
  const terminating = rows.filter((row) => row.tombstoned || cascades.has(row.identity.uid));
  const holding = countBlockers(terminating, batch);
  const removed = removeFreeRows(terminating, batch, holding);
  const dependents = dependentsInside(batch);

  const change: RowChange[] = [];
  const verdicts: Verdict[] = [];
  const revisions = new Map<string, number>();
  const remaining: LockedRow[] = [];
  for (const row of rows) {
    const { uid } = row.identity;
    if (removed.has(uid)) continue;
    const update = changeOf(row, cascades.has(uid), (holding.get(uid) ?? 0) > 0);
    if (update !== null) change.push(update);
    revisions.set(uid, row.revision + (update === null ? 0 : 1));
    remaining.push(row);
  }
  for (const row of remaining) {
    const { uid } = row.identity;
    const tombstoned = row.tombstoned || cascades.has(uid);
    const blocked = (holding.get(uid) ?? 0) > 0;
    const decision = decideCollection({ tombstoned, finalizers: row.finalizers, blocked });
    verdicts.push({
      uid,
      standing: waits(decision, row) ? 'postpone' : decision,
      revision: revisions.get(uid) as number,
      witness: decision === 'block' ? witnessOf(row, dependents.get(uid) ?? [], revisions) : null,
      spread: row.blocker === null && !row.liveOutside,
      blocks: blockedBy(row),
    });
  }
  for (const row of removed.values()) {
    const { uid } = row.identity;
    verdicts.push({
      uid,
      standing: 'remove',
      revision: row.revision,
      witness: null,
      spread: true,
      blocks: blockedBy(row),
    });
  }
  return { remove: [...removed.keys()], change, cascades: [...cascades.values()], verdicts };
}

/** Nothing blocks the row, but it may not leave a live dependent behind; nor may it be forgotten while one is to be reached. */
function waits(decision: ReturnType<typeof decideCollection>, row: LockedRow): boolean {
  return row.liveOutside && (decision === 'remove' || decision === 'hold');
}

/** How many blockers each row has: those inside the batch, and one for all outside. */
function countBlockers(terminating: readonly LockedRow[], batch: Batch): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (uid: string) => counts.set(uid, (counts.get(uid) ?? 0) + 1);
  for (const row of terminating) if (row.blocker !== null) add(row.identity.uid);
  for (const row of batch.values()) {
    for (const owner of ownersOf(row)) if (batch.has(owner) && blocks(row, owner)) add(owner);
  }
  return counts;
}

/** Removes what nothing holds, then what that sets free, and so on; lowers `holding` on the way. */
function removeFreeRows(
  terminating: readonly LockedRow[],
  batch: Batch,
  holding: Map<string, number>,
): ReadonlyMap<string, LockedRow> {
  const doomed = new Set(terminating.map((row) => row.identity.uid));
  const removed = new Map<string, LockedRow>();
  const queue = [...terminating];
  for (let next = 0; next < queue.length; next += 1) {
    const row = queue[next] as LockedRow;
    const { uid } = row.identity;
    if (removed.has(uid) || row.liveOutside) continue;
    const blocked = (holding.get(uid) ?? 0) > 0;
    if (decideCollection({ tombstoned: true, finalizers: row.finalizers, blocked }) !== 'remove') continue;
    removed.set(uid, row);
    for (const owner of ownersOf(row)) {
      if (!batch.has(owner) || !blocks(row, owner)) continue;
      const left = (holding.get(owner) ?? 0) - 1;
      holding.set(owner, left);
      if (left === 0 && doomed.has(owner)) queue.push(batch.get(owner) as LockedRow);
    }
  }
  return removed;
}

/** What a row that stays is updated to, or null when it is as it should be. */
function changeOf(row: LockedRow, tombstone: boolean, blocked: boolean): RowChange | null {
  const { uid } = row.identity;
  if (!row.tombstoned && !tombstone) return null;
  const present = row.finalizers.includes(cascadeFinalizer);
  const decision = decideCollection({ tombstoned: true, finalizers: row.finalizers, blocked });
  const wanted = decision === 'block' ? 'ensure' : decision === 'hold' ? 'drop' : 'keep';
  const needed = wanted === 'ensure' ? !present : wanted === 'drop' && present;
  if (!tombstone && !needed) return null;
  return { uid, tombstone, cascadeFinalizer: needed ? wanted : 'keep' };
}

function blockedBy(row: LockedRow): readonly string[] {
  return ownersOf(row).filter((owner) => blocks(row, owner));
}

/** A blocker outside the batch is preferred: those inside are examined together with the row. */
function witnessOf(
  row: LockedRow,
  dependents: readonly LockedRow[],
  revisions: ReadonlyMap<string, number>,
): Witness | null {
  if (row.blocker !== null) return row.blocker;
  for (const dependent of dependents) {
    const { uid } = dependent.identity;
    const revision = revisions.get(uid);
    if (revision !== undefined && blocks(dependent, row.identity.uid)) return { uid, revision, live: false };
  }
  return null;
}
