import type { Fault } from '@platform/kernel';
import {
  type Blocker,
  isDeletionProtected,
  isLiveOwner,
  maxRowsAbove,
  type OwnerReference,
  ownerGraphTooLarge,
  ownerMissing,
  type Resource,
} from '@platform/resources';
import type { Table } from './table.ts';

/** A row that is deleted when another one is. */
export interface Dependent extends Blocker {
  /** Whether the owner stays until the dependent is removed. */
  readonly blocking: boolean;
}

/** Every immediate dependent of the row, live or tombstoned. One that is both a child and owned counts as a child. */
export function dependentsOf(table: Table, uid: string): readonly Dependent[] {
  return table.rows().flatMap((resource): Dependent[] => {
    if (resource.parentUid === uid) return [{ relationship: 'structuralChild', resource, blocking: true }];
    const reference = resource.ownerReferences.find((candidate) => candidate.uid === uid);
    if (reference === undefined) return [];
    return [{ relationship: 'ownerReference', resource, blocking: reference.blockOwnerDeletion }];
  });
}

/** Whether the row is live and protected from deletion. */
export function isProtected({ deletionTimestamp, metadata }: Resource): boolean {
  return deletionTimestamp === null && isDeletionProtected(metadata);
}

/** Whether `from` leads to `target` over parent and owner-reference edges; a row leads to itself. */
export function reaches(table: Table, from: string, target: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
    if (uid === target) return true;
    const row = seen.has(uid) ? null : table.row(uid);
    seen.add(uid);
    if (seen.size > maxRowsAbove) throw ownerGraphTooLarge();
    if (row !== null) open.push(...edgesOf(row));
  }
  return false;
}

function edgesOf(row: Resource): readonly string[] {
  const owners = row.ownerReferences.map((reference) => reference.uid);
  return row.parentUid === null ? owners : [row.parentUid, ...owners];
}

/** The faults of the `added` references that name no live row, each with its index in `all`. */
export function ownerFaults(
  table: Table,
  all: readonly OwnerReference[],
  added: readonly OwnerReference[],
): readonly Fault[] {
  const wanted = new Set(added.map((reference) => reference.uid));
  return all.flatMap((reference, index) =>
    !wanted.has(reference.uid) || isLiveOwner(table.row(reference.uid), reference)
      ? []
      : [ownerMissing(reference, index)],
  );
}
