import type { Cascade, ResourceIdentity } from '@platform/resources';
import type { LockedRow } from '../model/batch.ts';

/** The rows of a batch by uid. */
export type Batch = ReadonlyMap<string, LockedRow>;

/**
 * Finds the live rows of a batch that must become tombstones: those below a tombstoned parent or with a tombstoned owner, over any number
 * of levels inside the batch. A protected row stays live, and the cascade does not go beyond it. Each row comes with the one cascade that is
 * reported for it.
 */
export function cascadeInBatch(batch: Batch): ReadonlyMap<string, Cascade> {
  const dependents = dependentsInBatch(batch);
  const marked = new Set<string>();
  const queue: LockedRow[] = [];
  for (const row of batch.values()) {
    if (row.tombstoned) queue.push(row);
    else if (!row.protected && row.tombstonedOwners.length > 0) {
      marked.add(row.identity.uid);
      queue.push(row);
    }
  }
  for (let next = 0; next < queue.length; next += 1) {
    for (const dependent of dependents.get((queue[next] as LockedRow).identity.uid) ?? []) {
      if (dependent.tombstoned || dependent.protected || marked.has(dependent.identity.uid)) continue;
      marked.add(dependent.identity.uid);
      queue.push(dependent);
    }
  }
  const terminating = (uid: string) => batch.get(uid)?.tombstoned === true || marked.has(uid);
  return new Map([...marked].map((uid) => [uid, cascadeTo(batch.get(uid) as LockedRow, batch, terminating)]));
}

/** For each row of the batch, its dependents inside the batch: structural children and owner-reference dependents. */
export function dependentsInBatch(batch: Batch): ReadonlyMap<string, readonly LockedRow[]> {
  const dependents = new Map<string, LockedRow[]>();
  for (const row of batch.values()) {
    for (const owner of ownersOf(row)) {
      if (!batch.has(owner)) continue;
      const known = dependents.get(owner);
      if (known === undefined) dependents.set(owner, [row]);
      else known.push(row);
    }
  }
  return dependents;
}

/** The uids of the parent and the owners of a row, each once. */
export function ownersOf({ identity, owners }: Pick<LockedRow, 'identity' | 'owners'>): readonly string[] {
  if (owners.length === 0) return identity.parentUid === null ? [] : [identity.parentUid];
  const uids = new Set(owners.map(({ uid }) => uid));
  if (identity.parentUid !== null) uids.add(identity.parentUid);
  return [...uids];
}

/** Whether the row blocks the removal of that owner: always as a structural child, by reference only with `blockOwnerDeletion`. */
export function blocks({ identity, owners }: LockedRow, owner: string): boolean {
  return identity.parentUid === owner || owners.some(({ uid, blocking }) => uid === owner && blocking);
}

/** Reports the parent before any owner, and owners in the order of the references. */
function cascadeTo(row: LockedRow, batch: Batch, terminating: (uid: string) => boolean): Cascade {
  const { identity, revision } = row;
  const outside = new Map(row.tombstonedOwners.map((owner) => [owner.uid, owner]));
  const candidates = [
    ...(identity.parentUid === null ? [] : [identity.parentUid]),
    ...row.owners.map(({ uid }) => uid),
  ];
  for (const uid of candidates) {
    const owner: ResourceIdentity | undefined =
      outside.get(uid) ?? (terminating(uid) ? batch.get(uid)?.identity : undefined);
    if (owner === undefined) continue;
    return {
      owner,
      dependent: identity,
      relationship: uid === identity.parentUid ? 'structuralChild' : 'ownerReference',
      blocking: blocks(row, uid),
      revision: revision + 1,
    };
  }
  throw new Error(`no tombstoned parent or owner of ${identity.uid} is known`);
}
