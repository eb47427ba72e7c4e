import { type Fault, invalid, Problem, schemaFaults } from '@platform/kernel';
import type { z } from 'zod';
import { type Collection, servedVersion, storageVersion } from '../model/definition.ts';
import type { LegibleBody } from '../model/legible-body.ts';

/** Validates `value`, or throws `validation_failed` with every fault; `at` is the JSON pointer of the value in the body. */
export function requireValid<S extends z.ZodType>(schema: S, value: unknown, at = ''): z.output<S> {
  return validOf(schema.safeParse(value), at);
}

/** The value of a parsed schema. Throws as {@link requireValid}. */
export function validOf<T>(result: z.ZodSafeParseResult<T>, at = ''): T {
  if (result.success) return result.data;
  throw invalid(schemaFaults(result.error.issues, at));
}

/** Throws the faults of {@link envelopeFaults}. */
export function requireEnvelope(
  body: Pick<LegibleBody, 'apiVersion' | 'kind'>,
  collection: Collection,
  urlVersion: string,
): void {
  const faults = envelopeFaults(body, collection, urlVersion);
  if (faults.length > 0) throw invalid(faults);
}

/** Refuses a write at a version that is not the storage version. */
export function requireStorageVersion(collection: Collection, urlVersion: string): void {
  const storage = storageVersion(collection).name;
  if (urlVersion !== storage) {
    throw new Problem('storage_version_required', `Writes must use ${collection.group}/${storage}.`);
  }
}

/**
 * The faults of a body's `apiVersion` and `kind` against the path. Throws `storage_version_required` when the body names a served
 * version that is not the storage version.
 */
function envelopeFaults(
  body: Pick<LegibleBody, 'apiVersion' | 'kind'>,
  collection: Collection,
  urlVersion: string,
): Fault[] {
  const faults: Fault[] = [];
  const expected = `${collection.group}/${urlVersion}`;
  if (body.apiVersion !== undefined && body.apiVersion !== expected) {
    const [group, version = ''] = body.apiVersion.split('/');
    if (group === collection.group && servedVersion(collection, version) !== null)
      requireStorageVersion(collection, version);
    faults.push({ path: '/apiVersion', message: `must be ${expected}` });
  }
  if (body.kind !== undefined && body.kind !== collection.kind)
    faults.push({ path: '/kind', message: `must be ${collection.kind}` });
  return faults;
}
