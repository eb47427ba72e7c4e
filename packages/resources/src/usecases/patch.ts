import { Problem, requireMet } from '@platform/kernel';
import { strategyOf } from '../kinds/table.ts';
import type { Collection } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';
import { definitionOf } from '../model/target.ts';
import { type Patch, patchDocument } from '../rules/patch-document.ts';
import { requireStorageVersion } from '../rules/validate-body.ts';
import { getResource } from './read.ts';
import { definitionMissing, replaceStored } from './replace.ts';
import { type ConditionalRequest, notFound, type ResourcePorts } from './request.ts';
import { inTransaction } from './unit-of-work.ts';

/** A patch of an item. */
export interface PatchRequest extends ConditionalRequest {
  /** Reads the patch. Throws `malformed_patch`. */
  readonly patch: () => Patch;
  /** The most bytes of the patched resource, as of the body of a replacement. */
  readonly limitBytes: number;
}

/**
 * Applies a patch to the latest revision of an item, as a replacement with all its rules. A patch that changes nothing keeps the revision.
 * When somebody else writes between the read and the write, it is applied again under the lock of the row, so no patch is lost.
 */
export async function patchResource(ports: ResourcePorts, request: PatchRequest): Promise<Resource> {
  const { target, precondition } = request;
  const { collection, version } = target;
  if (collection === null) throw await definitionMissing(ports, request);
  requireStorageVersion(collection, version);
  const stored = await getResource(ports, request);
  requireMet(precondition, stored);
  const registered = { ...request, collection, patch: request.patch() };
  try {
    return await patchStored(ports, registered, stored);
  } catch (error) {
    if (!isLostRace(error)) throw error;
  }
  return await inTransaction(ports, async (bound, transaction) => {
    await strategyOf(collection).lockBeforeUpdate?.(transaction);
    const row = await transaction.lockRow(target.ref, definitionOf(target));
    if (row === null) throw notFound();
    requireMet(precondition, row);
    return await patchStored(bound, registered, await getResource(bound, request));
  });
}

async function patchStored(
  ports: ResourcePorts,
  request: Omit<PatchRequest, 'patch'> & { readonly collection: Collection; readonly patch: Patch },
  stored: Resource,
): Promise<Resource> {
  const { collection, limitBytes } = request;
  const apiVersion = `${collection.group}/${request.target.version}`;
  const body = patchDocument(request.patch, stored, { apiVersion, limitBytes });
  if (body === null) return stored;
  return await replaceStored(ports, { ...request, body, keepsUnchanged: true, operation: 'patch' }, stored);
}

/** Also true for a stale revision in the patch itself, which the second attempt finds again. */
function isLostRace(error: unknown): boolean {
  return (
    error instanceof Problem && (error.code === 'revision_conflict' || error.code === 'precondition_failed')
  );
}
