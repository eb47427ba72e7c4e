import type { Fault } from '@platform/kernel';
import { groupOf, type OwnerReference } from '@platform/resources';
import type { Table } from './table.ts';

/** The faults of those `admitted` references that name no live row, each at its index in `all`. */
export function ownerFaults(
  table: Table,
  all: readonly OwnerReference[],
  admitted: readonly OwnerReference[],
): readonly Fault[] {
  const wanted = new Set(admitted.map((reference) => reference.uid));
  return all.flatMap((reference, index) =>
    !wanted.has(reference.uid) || namesLiveRow(table, reference)
      ? []
      : [{ path: `/metadata/ownerReferences/${index}/uid`, message: 'does not identify a live resource' }],
  );
}

/** The match is by group and kind: another version of the owner's group is fine (contract 2.5). */
function namesLiveRow(table: Table, reference: OwnerReference): boolean {
  const owner = table.row(reference.uid);
  return (
    owner !== null &&
    owner.deletionTimestamp === null &&
    owner.name === reference.name &&
    owner.kind === reference.kind &&
    groupOf(owner.apiVersion) === groupOf(reference.apiVersion)
  );
}
