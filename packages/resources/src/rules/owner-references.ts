import { type Fault, invalid } from '@platform/kernel';
import { type Collection, platformGroup } from '../model/definition.ts';
import { type OwnerReference, sameOwnerReference } from '../model/owner-reference.ts';

/**
 * Judges what a request alone tells about owner references: a built-in kind cannot be the dependent side, and an owner
 * is named once. Whether the owners live is for the store to say, under their row locks.
 */
export function judgeOwnerReferences(references: readonly OwnerReference[], collection: Collection): void {
  const faults: Fault[] = [];
  if (collection.group === platformGroup && references.length > 0) {
    faults.push({ path: '/metadata/ownerReferences', message: `${collection.kind} cannot be owned` });
  }
  references.forEach(({ uid }, index) => {
    if (references.findIndex((other) => other.uid === uid) < index) {
      faults.push({
        path: `/metadata/ownerReferences/${index}/uid`,
        message: 'names an owner that is listed before',
      });
    }
  });
  if (faults.length > 0) throw invalid(faults, 'owner_reference_invalid');
}

/** The references that were not stored before as they are now; only those have to be admitted (contract 2.5). */
export function addedOwners(
  stored: readonly OwnerReference[],
  wanted: readonly OwnerReference[],
): OwnerReference[] {
  return wanted.filter((reference) => !stored.some((before) => sameOwnerReference(before, reference)));
}
