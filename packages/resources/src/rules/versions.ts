import { type Fault, Problem } from '@platform/kernel';
import { type Collection, servedVersion, storageVersion } from '../model/definition.ts';

/** Refuses a write (POST, item PUT) at a version that is not the storage version (specification, "Path shapes" rule 6). */
export function requireStorageVersion(collection: Collection, urlVersion: string): void {
  const storage = storageVersion(collection).name;
  if (urlVersion !== storage) {
    throw new Problem('storage_version_required', `Writes must use ${collection.group}/${storage}.`);
  }
}

/**
 * The faults of a body's `apiVersion` and `kind` against the URL. A served version that is not the storage version is 422,
 * any other mismatch a fault (contract 2.2).
 */
export function envelopeFaults(
  body: { readonly apiVersion: string; readonly kind: string },
  collection: Collection,
  urlVersion: string,
): Fault[] {
  const faults: Fault[] = [];
  const expected = `${collection.group}/${urlVersion}`;
  if (body.apiVersion !== expected) {
    const [group, version = ''] = body.apiVersion.split('/');
    if (group === collection.group && servedVersion(collection, version) !== null)
      requireStorageVersion(collection, version);
    faults.push({ path: '/apiVersion', message: `must be ${expected}` });
  }
  if (body.kind !== collection.kind) faults.push({ path: '/kind', message: `must be ${collection.kind}` });
  return faults;
}
