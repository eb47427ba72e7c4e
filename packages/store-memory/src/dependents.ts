import type { Blocker, Resource } from '@platform/resources';
import type { Table } from './table.ts';

/** A row whose deletion follows that of another, and how. */
export interface Dependent extends Blocker {
  /** Whether the owner stays visible until the dependent is collected. */
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

/** Whether `from` leads to `target` over parent and owner-reference edges; a row leads to itself. */
export function reaches(table: Table, from: string, target: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
    if (uid === target) return true;
    const row = seen.has(uid) ? null : table.row(uid);
    seen.add(uid);
    if (row !== null) open.push(...edgesOf(row));
  }
  return false;
}

function edgesOf(row: Resource): readonly string[] {
  const owners = row.ownerReferences.map((reference) => reference.uid);
  return row.parentUid === null ? owners : [row.parentUid, ...owners];
}
