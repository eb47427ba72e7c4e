import { invalid, Problem } from '@platform/kernel';
import { strategyOf } from '../kinds/table.ts';
import { actorOf } from '../model/caller.ts';
import type { Operation } from '../model/change-context.ts';
import type { Collection } from '../model/definition.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { withManagedFields } from '../model/managed-fields.ts';
import { clientMetadataOf, type JsonText, type Resource } from '../model/resource.ts';
import { ancestorMissing, type CollectionRef } from '../model/target.ts';
import type { CreateCommand, CreateOutcome, Identifiers, ResourceWriter } from '../ports/resource-writer.ts';
import { prepareCreate, type ResourceContent } from '../rules/prepare-create.ts';
import { hideInvisibleOwners, requireOwnFinalizerChanges } from './bound-writes.ts';
import {
  auditIdentity,
  type CollectionRequest,
  changeOf,
  type RequestContext,
  type ResourcePorts,
} from './request.ts';
import { shownTo, specToStore } from './sealed.ts';
import {
  type PreparedWrite,
  withFaultsOfReferences,
  withFaultsOfSpec,
  writeTargetOf,
} from './write-faults.ts';

/** A create; an apply that creates has managed fields, and its own operation. */
export interface CreateRequest extends CollectionRequest {
  readonly body: JsonDocument;
  readonly managedFields?: JsonText | null;
  readonly operation?: Operation;
}

/** Creates a resource in a collection. */
export async function createResource(ports: ResourcePorts, request: CreateRequest): Promise<Resource> {
  const { collection, version, ref } = request.target;
  const strategy = strategyOf(collection);
  const write: PreparedWrite = {
    caller: request.caller,
    verb: 'create',
    body: request.body,
    target: writeTargetOf(request.target, null),
    validateSpec: (proposed) => strategy.validateCreate(proposed, collection, ports),
    stored: null,
  };
  const content = await withFaultsOfReferences(ports, write, async () => {
    const prepared = await withFaultsOfSpec(write, () => prepareCreate(write.body, write.target));
    await write.validateSpec(prepared);
    return prepared;
  });
  requireOwnFinalizerChanges(ports, request.caller, [], content.finalizers);
  const owners = await hideInvisibleOwners(ports, request.caller, content.ownerReferences);
  const metadata = withManagedFields(content.metadata, request.managedFields ?? null);
  const apiVersion = `${collection.group}/${version}`;
  const uid = ports.identifiers.uid();
  const command = {
    ...createCommand(
      { ...request, operation: request.operation ?? 'create' },
      { collection, apiVersion, ref },
      { ...content, metadata, ownerReferences: [...owners.values()] },
    ),
    uid,
    spec: specToStore(ports, collection, { uid, spec: content.spec.text }),
  };
  const insert = (writer: ResourceWriter) => insertResource(writer, ports.identifiers, command);
  const created =
    strategy.beforeCreate === undefined
      ? await insert(ports.writer)
      : await ports.transactions.run(async (transaction) => {
          await strategy.beforeCreate?.(transaction, content, { caller: request.caller, verb: 'create' });
          return await insert(transaction.writer);
        });
  ports.audit.record({
    message: 'resource.created',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(created),
  });
  return shownTo(ports, request.caller, created);
}

/** The command that stores validated content in a collection. */
export function createCommand(
  request: RequestContext & { readonly operation: Operation },
  place: { readonly collection: Collection; readonly apiVersion: string; readonly ref: CollectionRef },
  content: ResourceContent,
): Omit<CreateCommand, 'uid' | 'discriminator'> {
  return {
    change: changeOf(request, request.operation),
    definition: place.collection.definition,
    collection: place.ref,
    apiVersion: place.apiVersion,
    name: content.name,
    ...clientMetadataOf(content),
    spec: content.spec.text,
  };
}

/** The number of discriminators that are tried after the first one, before a create fails with `discriminator_exhausted`. */
const maxRetries = 10;

/** Inserts a row, and retries with a new discriminator while it is taken. */
export async function tryInsert(
  writer: ResourceWriter,
  identifiers: Identifiers,
  command: Omit<CreateCommand, 'discriminator'>,
): Promise<Exclude<CreateOutcome, { outcome: 'discriminatorTaken' }>> {
  for (let attempt = 0; attempt <= maxRetries; attempt += 1) {
    const result = await writer.create({ ...command, discriminator: identifiers.discriminator() });
    if (result.outcome !== 'discriminatorTaken') return result;
  }
  throw new Problem(
    'discriminator_exhausted',
    `No free discriminator was found in ${maxRetries} retries; try again.`,
    { retryAfterSeconds: 1 },
  );
}

/** Inserts a row, and throws the refusal of every other outcome. */
export async function insertResource(
  writer: ResourceWriter,
  identifiers: Identifiers,
  command: Omit<CreateCommand, 'uid' | 'discriminator'> & { readonly uid?: string },
): Promise<Resource> {
  const uid = command.uid ?? identifiers.uid();
  const result = await tryInsert(writer, identifiers, { ...command, uid });
  switch (result.outcome) {
    case 'created':
      return result.resource;
    case 'ancestorMissing':
      throw ancestorMissing();
    case 'ancestorTerminating':
      throw new Problem(
        'parent_terminating',
        `${result.name} is being deleted; nothing can be created below it.`,
      );
    case 'definitionTerminating':
      throw new Problem('definition_terminating', 'The definition of the kind is being deleted.');
    case 'ownersRefused':
      throw invalid(result.faults, 'owner_reference_invalid');
    case 'nameTaken':
      throw new Problem('already_exists', `A resource named ${command.name} exists here already.`);
  }
}
