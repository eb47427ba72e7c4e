import { Problem, requireMet } from '@platform/kernel';
import type { KindStrategy } from '../kinds/strategy.ts';
import { strategyOf } from '../kinds/table.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import type { ChangeContext } from '../model/change-context.ts';
import { deletionProtectionAnnotation } from '../model/deletion-protection.ts';
import type { Resource, ResourceIdentity } from '../model/resource.ts';
import { definitionOf, type ItemTarget, notFound } from '../model/target.ts';
import type { ResourceWriter } from '../ports/resource-writer.ts';
import type { Cascade, LockedResource, Transaction, Transactions } from '../ports/transactions.ts';
import { type DeletionDecision, decideDeletion } from '../rules/decide-deletion.ts';
import { requirePlanned } from './deletion-plan.ts';
import { auditIdentity, type ConditionalRequest, changeOf, type ResourcePorts } from './request.ts';
import { visibleTo } from './visibility.ts';

/** The result of a DELETE: the row is removed, or it is terminating until finalizers and blocking dependents are gone. */
export interface Deletion {
  readonly deleted: boolean;
  readonly resource: Resource;
  /** The resource before the request. */
  readonly before: Resource;
}

interface Applied {
  readonly decision: DeletionDecision;
  readonly resource: Resource;
  readonly before: Resource;
  readonly cascades: readonly Cascade[];
}

interface DeletionRequest extends ConditionalRequest {
  readonly uid: string | null;
  readonly plan: string | null;
}

/** Deletes an item, or starts its deletion: one statement where nothing keeps it, else a transaction. */
export async function deleteResource(
  ports: Pick<ResourcePorts, 'writer' | 'transactions' | 'identifiers' | 'audit'>,
  request: DeletionRequest,
): Promise<Deletion> {
  const { writer, transactions, identifiers, audit } = ports;
  const { caller, requestId, target } = request;
  const strategy = target.collection === null ? null : strategyOf(target.collection);
  const change = changeOf(request, 'delete', identifiers.uid());
  const removedLeaf = isUnconditional(request, strategy) ? await removeLeaf(writer, target, change) : null;
  const { decision, resource, before, cascades } =
    removedLeaf ?? (await deleteInTransaction(transactions, request, { strategy, change }));
  if (decision !== 'wait') {
    audit.record({
      message: 'resource.deleted',
      requestId,
      actor: actorOf(caller),
      ...auditIdentity(resource),
    });
  }
  audit.cascaded(cascades, { actor: actorOf(caller), requestId });
  return { deleted: decision === 'remove', resource, before };
}

/** Whether neither the request nor the kind needs to read the row before the deletion. */
function isUnconditional(
  { uid, plan, precondition }: DeletionRequest,
  strategy: KindStrategy | null,
): boolean {
  const rules = [strategy?.lockBeforeDelete, strategy?.beforeDelete];
  return uid === null && plan === null && precondition === null && rules.every((rule) => rule === undefined);
}

/** Removes the row in one statement; null when something keeps it, or it is missing. */
async function removeLeaf(
  writer: ResourceWriter,
  target: ItemTarget,
  change: ChangeContext,
): Promise<Applied | null> {
  const leaf = await writer.removeLeaf({ change, definition: definitionOf(target), ref: target.ref });
  if (leaf.outcome !== 'removed') return null;
  return { decision: 'remove', resource: leaf.resource, before: leaf.resource, cascades: [] };
}

async function deleteInTransaction(
  transactions: Transactions,
  request: DeletionRequest,
  { strategy, change }: { readonly strategy: KindStrategy | null; readonly change: ChangeContext },
): Promise<Applied> {
  const { caller, target, plan } = request;
  return await transactions.run(async (transaction): Promise<Applied> => {
    await strategy?.lockBeforeDelete?.(transaction);
    const locked = await transaction.deletion.lock(target.ref, definitionOf(target));
    if (locked.outcome === 'missing') throw notFound();
    requireUid(request.uid, locked.resource);
    requireMet(request.precondition, locked.resource);
    if (locked.resource.deletionTimestamp === null) {
      await requireUnprotected(transaction, caller, locked.resource);
      await strategy?.beforeDelete?.(transaction, locked.resource);
    }
    if (plan !== null) await requirePlanned(transaction, locked.resource, { plan, caller });
    return await apply(transaction, locked, change);
  });
}

/** The most protected resources in one refusal. */
const maxProtected = 100;

/** Throws `deletion_protected` when the deletion would reach a protected resource. A tombstone stays as it is: its cascade waits there. */
async function requireUnprotected(
  { deletion, reader }: Transaction,
  caller: Caller,
  { uid }: Resource,
): Promise<void> {
  const found = await deletion.protectedFrom(uid, maxProtected);
  if (found.length === 0) return;
  const shown = found.filter(await visibleTo({ reader }, caller, found));
  throw new Problem(
    'deletion_protected',
    `${protectedNames(shown, uid)} protected by the annotation ${deletionProtectionAnnotation}; remove the annotation first.`,
    { members: { protected: shown } },
  );
}

/** The beginning of a sentence. Resources that the caller may not see are not named. */
function protectedNames([first, ...more]: readonly ResourceIdentity[], uid: string): string {
  if (first === undefined) return 'A resource that would be deleted with it is';
  const name =
    first.uid === uid ? 'The resource' : `${first.kind} ${first.name}, which would be deleted with it,`;
  return more.length === 0 ? `${name} is` : `${name} and ${more.length} more are`;
}

/** Attack on scripts: a resource was deleted and created again under its name, and the new one is deleted in its place. */
function requireUid(wanted: string | null, { uid }: Resource): void {
  if (wanted === null || wanted === uid) return;
  throw new Problem('uid_conflict', `The resource here has the uid ${uid}; it is another one.`, {
    members: { currentUid: uid },
  });
}

async function apply(
  { deletion }: Transaction,
  { resource, blocked }: LockedResource,
  change: ChangeContext,
): Promise<Applied> {
  const cascaded: ChangeContext = { ...change, operation: 'cascade' };
  const { uid, finalizers } = resource;
  const decision = decideDeletion({ tombstoned: resource.deletionTimestamp !== null, finalizers, blocked });
  switch (decision) {
    case 'wait':
      return { decision, resource, before: resource, cascades: [] };
    case 'tombstone': {
      const tombstone = await deletion.tombstone(uid, { cascadeFinalizer: blocked, change });
      const cascades = await deletion.cascade(uid, cascaded);
      return { decision, resource: tombstone, before: resource, cascades };
    }
    case 'remove': {
      const cascades = await deletion.cascade(uid, cascaded);
      await deletion.remove(uid, change);
      return { decision, resource, before: resource, cascades };
    }
  }
}
