import { groupByKey } from '@platform/kernel';
import type { Cascade, ResourceIdentity } from '@platform/resources';
import type { LockedRow } from '../model/batch.ts';

/** The rows of a batch by uid. */
export type Batch = ReadonlyMap<string, LockedRow>;

/** For each row of a batch, its dependents inside the batch: structural children and owner-reference dependents. */
export type Dependents = ReadonlyMap<string, readonly LockedRow[]>;

/**
 * Finds the live rows of a batch that must become tombstones, over any number of levels: those with a tombstoned parent or owner. A protected
 * row stays live, and the cascade stops at it. Each row comes with the one cascade that is reported for it.
 */
export function cascadeInBatch(batch: Batch, dependents: Dependents): ReadonlyMap<string, Cascade> {
  const tombstones = new Set<string>();
  for (const { identity, ...row } of batch.values()) {
    if (row.tombstoned || (!row.protected && row.tombstonedOwners.length > 0)) tombstones.add(identity.uid);
  }
  // The loop visits what it adds.
  for (const uid of tombstones) {
    for (const dependent of dependents.get(uid) ?? []) {
      if (!dependent.protected) tombstones.add(dependent.identity.uid);
    }
  }
  const cascades = new Map<string, Cascade>();
  for (const uid of tombstones) {
    const row = batch.get(uid) as LockedRow;
    if (!row.tombstoned) cascades.set(uid, cascadeTo(row, batch, tombstones));
  }
  return cascades;
}

export function dependentsIn(batch: Batch): Dependents {
  const rows = [...batch.values()];
  const edges = rows.flatMap((row) => ownersOf(row).map((owner) => [owner, row] as const));
  return groupByKey(edges.filter(([owner]) => batch.has(owner)));
}

/** The uids of the parent and the owners of a row, each once: the parent first, then the owners in the order of the references. */
export function ownersOf({ identity, owners }: Pick<LockedRow, 'identity' | 'owners'>): readonly string[] {
  const parent = identity.parentUid === null ? [] : [identity.parentUid];
  return owners.length === 0 ? parent : [...new Set([...parent, ...owners.map(({ uid }) => uid)])];
}

/** Whether the row blocks the removal of that owner: always as a structural child, by reference only with `blockOwnerDeletion`. */
export function blocks({ identity, owners }: LockedRow, owner: string): boolean {
  return identity.parentUid === owner || owners.some(({ uid, blocking }) => uid === owner && blocking);
}

/** Reports the first of the parent and the owners that is tombstoned. */
function cascadeTo(row: LockedRow, batch: Batch, tombstones: ReadonlySet<string>): Cascade {
  const { identity, revision } = row;
  for (const uid of ownersOf(row)) {
    const owner: ResourceIdentity | undefined = tombstones.has(uid)
      ? batch.get(uid)?.identity
      : row.tombstonedOwners.find((outside) => outside.uid === uid);
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
