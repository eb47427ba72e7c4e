import { type Fault, invalid } from '@platform/kernel';
import { groupOf } from '../model/names.ts';
import { type OwnerReference, sameOwnerReference } from '../model/owner-reference.ts';
import type { Resource } from '../model/resource.ts';

/**
 * Validates owner references without other rows: the kind must allow them, and an owner is named once. Malformed ones are null. The store
 * checks under row locks that the owners are live.
 */
export function validateOwnerReferences(
  references: readonly (OwnerReference | null)[],
  { kind, allowed }: { readonly kind: string; readonly allowed: boolean },
): void {
  const faults: Fault[] = [];
  if (!allowed && references.length > 0) {
    faults.push({ path: '/metadata/ownerReferences', message: `${kind} cannot be owned` });
  }
  const before = new Set<string>();
  references.forEach((reference, index) => {
    if (reference === null) return;
    if (before.has(reference.uid)) {
      faults.push({
        path: `/metadata/ownerReferences/${index}/uid`,
        message: 'names an owner that is listed before',
      });
    }
    before.add(reference.uid);
  });
  if (faults.length > 0) throw invalid(faults, 'owner_reference_invalid');
}

/** The references that are new or changed. Stored ones are not checked again, so an update works after an owner is gone. */
export function addedOwners(
  stored: readonly OwnerReference[],
  wanted: readonly OwnerReference[],
): OwnerReference[] {
  const known = new Map(stored.map((reference) => [reference.uid, reference]));
  return wanted.filter((reference) => {
    const before = known.get(reference.uid);
    return before === undefined || !sameOwnerReference(before, reference);
  });
}

/** Whether the row with the uid of the reference is the live owner that it names. By group and kind, so another version of the group is accepted. */
export function isLiveOwner(
  row: Pick<Resource, 'apiVersion' | 'kind' | 'name' | 'deletionTimestamp'> | null,
  { apiVersion, kind, name }: OwnerReference,
): boolean {
  return (
    row !== null &&
    row.deletionTimestamp === null &&
    row.name === name &&
    row.kind === kind &&
    groupOf(row.apiVersion) === groupOf(apiVersion)
  );
}

/** The fault of the reference at `index`, which names no live resource. */
export function ownerMissing({ kind, name }: OwnerReference, index: number): Fault {
  return {
    path: `/metadata/ownerReferences/${index}/uid`,
    message: `does not identify a live ${kind} named ${name}`,
  };
}
