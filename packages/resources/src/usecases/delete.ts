import { Problem, requireMet } from '@platform/kernel';
import { actorOf } from '../model/caller.ts';
import { isBuiltIn } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';
import type { Cascade, LockedResource, Transaction } from '../ports/transactions.ts';
import { type DeletionDecision, decideDeletion } from '../rules/decide-deletion.ts';
import { judgeDefinitionDeletion } from '../rules/judge-definition.ts';
import { storedDefinitionSpec } from '../rules/resolve-collection.ts';
import { holdsDefinitions } from '../rules/validate-built-in.ts';
import { auditIdentity } from './audit-identity.ts';
import type { ResourcePorts } from './ports.ts';
import { definitionOf, notFound } from './request.ts';
import type { ConditionalRequest } from './write-if-matched.ts';

/** How a DELETE ended: gone, or tombstoned and held by something. */
export type Deletion =
  | { readonly deleted: true; readonly resource: Resource }
  | { readonly deleted: false; readonly resource: Resource };

interface Applied {
  readonly decision: DeletionDecision;
  readonly resource: Resource;
  readonly cascades: readonly Cascade[];
}

/** Deletes an item, or starts its deletion (specification, "Delete" and "Resource lifecycle"). One transaction. */
export async function deleteResource(
  { transactions, audit }: Pick<ResourcePorts, 'transactions' | 'audit'>,
  request: ConditionalRequest,
): Promise<Deletion> {
  const { caller, requestId, ref, collection } = request;
  const result = await transactions.run(async (transaction): Promise<Applied> => {
    // Before the row lock: whoever writes definitions takes the two in this order.
    if (collection !== null && holdsDefinitions(collection)) await transaction.definitions.lockCatalog();
    const locked = await transaction.deletion.lock(ref, definitionOf(request));
    if (locked.outcome === 'missing') throw notFound();
    requireMet(request.precondition, locked.resource);
    if (locked.resource.deletionTimestamp === null) await guard(transaction, locked.resource);
    return await apply(transaction, locked);
  });
  const { decision, resource, cascades } = result;
  if (decision !== 'wait') {
    audit.record({
      message: 'resource.deleted',
      requestId,
      actor: actorOf(caller),
      ...auditIdentity(resource),
    });
  }
  audit.cascaded(cascades, { actor: actorOf(caller), requestId });
  return { deleted: decision === 'remove', resource };
}

async function apply({ deletion }: Transaction, { resource, blocked }: LockedResource): Promise<Applied> {
  const { uid, finalizers } = resource;
  const decision = decideDeletion({ tombstoned: resource.deletionTimestamp !== null, finalizers, blocked });
  switch (decision) {
    case 'wait':
      return { decision, resource, cascades: [] };
    case 'tombstone': {
      const tombstone = await deletion.tombstone(uid, { cascadeFinalizer: blocked });
      return { decision, resource: tombstone, cascades: await deletion.cascade(uid) };
    }
    case 'remove': {
      const cascades = await deletion.cascade(uid);
      await deletion.remove(uid);
      return { decision, resource, cascades };
    }
  }
}

/** What may not even begin to be deleted: a definition in use, an Organization with projects or teams. */
async function guard({ definitions, deletion }: Transaction, resource: Resource): Promise<void> {
  if (isBuiltIn('ResourceDefinition', resource.apiVersion, resource.kind)) {
    const spec = storedDefinitionSpec(resource);
    const instances = await definitions.countInstances(resource.uid, spec);
    judgeDefinitionDeletion({ instances, heightBelow: await definitions.heightBelow(spec, 1) });
  }
  if (
    isBuiltIn('Organization', resource.apiVersion, resource.kind) &&
    (await deletion.hasTypedChildren(resource.uid))
  ) {
    throw new Problem(
      'organization_in_use',
      'Projects or teams belong to the organization; delete them first.',
    );
  }
}
