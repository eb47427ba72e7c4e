import { type Fault, invalid, Problem, requireMet } from '@platform/kernel';
import { strategyOf } from '../kinds/table.ts';
import { actorOf } from '../model/caller.ts';
import type { Operation } from '../model/change-context.ts';
import type { Collection } from '../model/definition.ts';
import { renderEnvelope } from '../model/envelope.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { sameJson } from '../model/json-equality.ts';
import { withManagedFields } from '../model/managed-fields.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { clientMetadataOf, type JsonText, type Resource } from '../model/resource.ts';
import { notFound } from '../model/target.ts';
import type { ReplaceCommand, ResourceWriter } from '../ports/resource-writer.ts';
import { allOf } from '../rules/all-faults.ts';
import { prepareReplace, type Replacement, revisionConflict } from '../rules/prepare-replace.ts';
import { requireStorageVersion } from '../rules/validate-body.ts';
import { hideInvisibleOwners, requireOwnFinalizerChanges } from './bound-writes.ts';
import { managedAfterUpdate } from './field-writer.ts';
import { getResource } from './read.ts';
import {
  auditIdentity,
  type ConditionalRequest,
  changeOf,
  type ItemRequest,
  type ResourcePorts,
} from './request.ts';
import { openedForReplacement, requireNoLostValues, shownTo, specToStore } from './sealed.ts';
import {
  type PreparedWrite,
  withFaultsOfReferences,
  withFaultsOfSpec,
  writeTargetOf,
} from './write-faults.ts';

/** Replaces the parts of an item that a client controls, under optimistic concurrency. */
export async function replaceResource(
  ports: ResourcePorts,
  request: ConditionalRequest & { readonly body: JsonDocument; readonly fieldManager?: string | null },
): Promise<Resource> {
  const { collection, version } = request.target;
  if (collection === null) throw await definitionMissing(ports, request);
  requireStorageVersion(collection, version);
  const stored = await getResource(ports, request);
  requireMet(request.precondition, stored);
  return await replaceStored(ports, { ...request, collection }, stored);
}

/** The refusal to change a resource whose kind is not registered, or `not_found` when there is no such resource. */
export async function definitionMissing(ports: ResourcePorts, request: ItemRequest): Promise<Problem> {
  const { kind } = await getResource(ports, request);
  return new Problem(
    'definition_missing',
    `No definition claims ${kind}; register it again to update its resources.`,
  );
}

/** A replacement of a row that was read. */
export interface StoredReplacement extends ConditionalRequest {
  readonly body: JsonDocument;
  readonly collection: Collection;
  /** Faults that were found while the body was made. */
  readonly faults?: readonly Fault[];
  /** Whether a replacement that changes nothing keeps the revision. */
  readonly keepsUnchanged?: boolean;
  /** Replaces the managed fields; without it, they follow from what the replacement changes. */
  readonly managedFields?: JsonText | null;
  /** Managed fields that count instead of the stored ones, before those of this write; null for none. */
  readonly setManagers?: JsonText | null;
  /** Names the writer in the managed fields; see {@link writerOf}. */
  readonly fieldManager?: string | null;
  /** `update` unless told. */
  readonly operation?: Operation;
}

/** The row before the replacement: as it is stored, and with its sealed values in clear. */
interface Before {
  readonly stored: Resource;
  readonly open: Resource;
}

/** Replaces the row that was read, at the revision that it had. */
export async function replaceStored(
  ports: ResourcePorts,
  request: StoredReplacement,
  stored: Resource,
): Promise<Resource> {
  const { caller, body, collection } = request;
  const before = { stored, open: openedForReplacement(ports, caller, stored) };
  const write: PreparedWrite = {
    caller,
    verb: verbOf(request),
    body,
    target: writeTargetOf({ collection, version: request.target.version }, before.open.spec),
    async validateSpec(proposed) {
      requireNoLostValues(proposed.spec.text, before);
      await strategyOf(collection).validateUpdate(proposed, collection, ports, before.open);
    },
    stored,
  };
  const { replacement, unchanged } = await withFaultsOfReferences(ports, write, async () => {
    const replacement = await prepare(ports, request, before.open, write);
    const unchanged = request.keepsUnchanged && isUnchanged(replacement, before.open);
    if (!unchanged) await write.validateSpec(replacement);
    return { replacement, unchanged };
  });
  if (unchanged) return shownTo(ports, caller, stored);
  requireOwnFinalizerChanges(ports, caller, stored.finalizers, replacement.finalizers);
  const command = await replaceCommand(ports, request, before, replacement);
  const replaced = await writeReplacement(ports, request, before, { replacement, command }).catch(
    (error: unknown) => {
      throw refusalFor(error, request, stored);
    },
  );
  ports.audit.record({
    message: 'resource.updated',
    requestId: request.requestId,
    actor: actorOf(caller),
    ...auditIdentity(replaced),
  });
  return shownTo(ports, caller, replaced);
}

/** The row as the body makes it, with the managed fields that follow from it. Throws all faults of envelope and spec at once. */
async function prepare(
  ports: ResourcePorts,
  request: StoredReplacement,
  open: Resource,
  write: PreparedWrite,
): Promise<Replacement> {
  const { faults = [] } = request;
  const [, prepared] = await withFaultsOfSpec(write, () =>
    allOf(
      () => requireNone(faults),
      () => prepareReplace(write.body, open, write.target),
    ),
  );
  const { managedFields = managedAfterUpdate(ports, request, open, prepared) } = request;
  return { ...prepared, metadata: withManagedFields(prepared.metadata, managedFields) };
}

/** The command that stores a replacement. Owners that the caller does not see get unused uids, so that the store refuses them as missing. */
async function replaceCommand(
  ports: ResourcePorts,
  request: StoredReplacement,
  before: Before,
  replacement: Replacement,
): Promise<ReplaceCommand> {
  const { collection } = request;
  const { uid, revision } = before.stored;
  const owners = await hideInvisibleOwners(ports, request.caller, replacement.addedOwners);
  const shown = (reference: OwnerReference) => owners.get(reference.uid) ?? reference;
  return {
    change: changeOf(request, request.operation ?? 'update'),
    definition: collection.definition,
    uid,
    revision,
    apiVersion: `${collection.group}/${request.target.version}`,
    ...clientMetadataOf(replacement),
    spec: specToStore(ports, collection, { uid, spec: replacement.spec.text }, before),
    specChanged: replacement.specChanged,
    ownerReferences: replacement.ownerReferences.map(shown),
    addedOwners: replacement.addedOwners.map(shown),
  };
}

/** Writes a replacement: in one statement, or in a transaction with the hook of its kind. */
async function writeReplacement(
  ports: ResourcePorts,
  request: StoredReplacement,
  { open }: Before,
  { replacement, command }: { readonly replacement: Replacement; readonly command: ReplaceCommand },
): Promise<Resource> {
  const strategy = strategyOf(request.collection);
  if (strategy.beforeUpdate === undefined) return await replaceRow(ports.writer, command);
  return await ports.transactions.run(async (transaction) => {
    const by = { caller: request.caller, verb: verbOf(request) };
    await strategy.beforeUpdate?.(transaction, replacement, open, by);
    return await replaceRow(transaction.writer, command);
  });
}

function requireNone(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

/** The verb that the request needs: a server-side apply needs `patch`. */
function verbOf({ operation }: StoredReplacement): 'update' | 'patch' {
  return operation === 'patch' || operation === 'apply' ? 'patch' : 'update';
}

function isUnchanged(replacement: Replacement, stored: Resource): boolean {
  const metadataOf = (row: Resource) => renderEnvelope(row, row.apiVersion, 'metadata');
  const replaced = { ...stored, ...clientMetadataOf(replacement) };
  return !replacement.specChanged && sameJson(metadataOf(replaced), metadataOf(stored));
}

/** Replaces a row, and throws the refusal of every other outcome. */
async function replaceRow(writer: ResourceWriter, command: ReplaceCommand): Promise<Resource> {
  const result = await writer.replace(command);
  switch (result.outcome) {
    case 'replaced':
      return result.resource;
    case 'missing':
      throw notFound();
    case 'revisionMismatch':
      throw revisionConflict(result.currentRevision);
    case 'ownersRefused':
      throw invalid(result.faults, 'owner_reference_invalid');
    case 'ownerCycle':
      throw new Problem(
        'owner_reference_cycle',
        'The owner references would form a cycle over owners and parents.',
        { errors: [{ path: '/metadata/ownerReferences', message: 'would form a cycle' }] },
      );
  }
}

/** A write after the row was read may break the precondition. Then that is the refusal, not the stale revision. */
function refusalFor(error: unknown, { precondition }: ConditionalRequest, { uid }: Resource): unknown {
  if (!(error instanceof Problem) || error.code !== 'revision_conflict') return error;
  requireMet(precondition, { uid, revision: error.members['currentRevision'] as number });
  return error;
}
