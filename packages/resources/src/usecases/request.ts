import { type Clock, type Precondition, Problem } from '@platform/kernel';
import type { Use } from '../kinds/strategy.ts';
import { strategyOf } from '../kinds/table.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import type { ChangeContext, ChangeOrigin, Operation } from '../model/change-context.ts';
import type { Collection } from '../model/definition.ts';
import { identityOf, type Resource, type ResourceIdentity } from '../model/resource.ts';
import type { CollectionTarget, ItemTarget, TargetForm } from '../model/target.ts';
import type { AuditLog } from '../ports/audit-log.ts';
import type { DeletionPlans } from '../ports/deletion-plans.ts';
import type { ResourceHistory } from '../ports/resource-history.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import type { Identifiers, ResourceWriter } from '../ports/resource-writer.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';
import type { Transactions } from '../ports/transactions.ts';
import { accessDenied } from '../rules/access.ts';

/** The ports of the use cases. Each use case takes the ones that it needs. */
export interface ResourcePorts {
  readonly reader: ResourceReader;
  readonly history: ResourceHistory;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly schemas: SchemaValidator;
  readonly audit: AuditLog;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
  readonly plans: DeletionPlans;
  /** Access control that hides resources from some callers; without it, every caller sees all. */
  readonly visibility?: Visibility;
}

/** Says which resources a caller may see. */
export interface Visibility {
  /** Must return the uids of the given resources that the caller may see. */
  visible(caller: Caller, resources: readonly ResourceIdentity[]): Promise<ReadonlySet<string>>;
}

/** Tells of each of the resources whether the caller may see it: everything else is left out of an answer. */
export async function visibleTo(
  { visibility }: Pick<ResourcePorts, 'visibility'>,
  caller: Caller,
  resources: readonly ResourceIdentity[],
): Promise<(resource: { readonly uid: string }) => boolean> {
  if (visibility === undefined) return () => true;
  const uids = await visibility.visible(caller, resources);
  return ({ uid }) => uids.has(uid);
}

/** The part of a request that every use case needs. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  /** Absent for requests that the platform makes itself. */
  readonly origin?: RequestOrigin;
}

/** Where a request comes from, and why: for the change log. */
export type RequestOrigin = Pick<ChangeOrigin, 'reason' | 'sourceAddress' | 'userAgent'>;

/** The context of what a request writes; `cascadeId` names the deletion that the write belongs to. */
export function changeOf(
  { caller, requestId, origin }: RequestContext,
  operation: Operation,
  cascadeId: string | null = null,
): ChangeContext {
  const { reason = null, sourceAddress = null, userAgent = null } = origin ?? {};
  return { operation, actor: actorOf(caller), requestId, reason, cascadeId, sourceAddress, userAgent };
}

/** A request for one item. */
export interface ItemRequest extends RequestContext {
  readonly target: ItemTarget;
}

/** A request for one item that may name the versions it applies to (RFC 9110, section 13.1.1). */
export interface ConditionalRequest extends ItemRequest {
  /** Null when the request applies to any version. */
  readonly precondition: Precondition | null;
}

/** A request for a collection. */
export interface CollectionRequest extends RequestContext {
  readonly target: CollectionTarget;
}

/**
 * Throws `forbidden` unless the caller may use this form of path: operators may use all, controllers the ones that the kind allows them.
 * The answer is the same whether or not the row exists.
 */
export function requireAccess(
  caller: Caller,
  form: TargetForm,
  collection: Collection | null,
  use: Use = 'write',
): void {
  const allowed =
    collection === null
      ? caller.type === 'operator'
      : strategyOf(collection).allows(caller, form, collection, use);
  if (!allowed) throw accessDenied();
}

export { accessDenied };

/** The 404 of an item. */
export function notFound(): Problem {
  return new Problem('not_found', 'There is no such resource.');
}

/** The 404 of a collection below an ancestor that does not exist. */
export function ancestorMissing(): Problem {
  return new Problem('not_found', 'An ancestor that the path names does not exist.');
}

/** The members of an audit record that identify the resource. */
export function auditIdentity(resource: Resource): { resource: ResourceIdentity; revision: number } {
  return { resource: identityOf(resource), revision: resource.revision };
}
