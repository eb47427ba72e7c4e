import { requireMet } from '@platform/kernel';
import type { Operation } from '../model/change-context.ts';
import type { Resource } from '../model/resource.ts';
import { type Patch, patchDocument } from '../rules/patch-document.ts';
import { requireStorageVersion } from '../rules/validate-body.ts';
import { changeLatest } from './change-latest.ts';
import { getResource } from './read.ts';
import { definitionMissing, replaceStored } from './replace.ts';
import type { ConditionalRequest, ResourcePorts } from './request.ts';
import { openedForWrite, requireReadable, shownTo } from './sealed.ts';

/** A patch of an item. */
export interface PatchRequest extends ConditionalRequest {
  /** Reads the patch. Throws `malformed_patch`. */
  readonly patch: () => Patch;
  /** The most bytes of the patched resource, as of the body of a replacement. */
  readonly limitBytes: number;
  /** Names the writer in `metadata.managedFields`; null for the default. */
  readonly fieldManager?: string | null;
  /** Whether the patch may change `metadata.managedFields`. */
  readonly setsManagers?: boolean;
  /** `patch` unless told. */
  readonly operation?: Operation;
}

/** Applies a patch to the latest revision of an item, as a replacement with all its rules. A patch that changes nothing keeps the revision. */
export async function patchResource(ports: ResourcePorts, request: PatchRequest): Promise<Resource> {
  const { collection, version } = request.target;
  if (collection === null) throw await definitionMissing(ports, request);
  requireStorageVersion(collection, version);
  const latest = await getResource(ports, request);
  requireMet(request.precondition, latest);
  const patch = request.patch();
  const apiVersion = `${collection.group}/${version}`;
  const { limitBytes, setsManagers = false } = request;
  return await changeLatest(ports, { ...request, collection }, latest, async (bound, stored) => {
    requireReadable(request.caller, stored);
    const options = { apiVersion, limitBytes, setsManagers };
    const patched = patchDocument(patch, openedForWrite(ports, stored), options);
    if (patched === null) return shownTo(ports, request.caller, stored);
    const { operation = 'patch' } = request;
    const replacement = { ...request, ...patched, collection, keepsUnchanged: true, operation };
    return await replaceStored(bound, replacement, stored);
  });
}
