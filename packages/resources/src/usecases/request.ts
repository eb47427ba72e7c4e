import type { ChangeOrigin } from '@platform/access';
import type { Clock, Precondition, Sealer } from '@platform/kernel';
import { actorOf, type Caller } from '../model/caller.ts';
import type { ChangeContext, Operation } from '../model/change-context.ts';
import { identityOf, type Resource, type ResourceIdentity } from '../model/resource.ts';
import type { CollectionTarget, ItemTarget } from '../model/target.ts';
import type { AuditLog } from '../ports/audit-log.ts';
import type { DeletionPlans } from '../ports/deletion-plans.ts';
import type { RemovedResources } from '../ports/removed-resources.ts';
import type { ResourceHistory } from '../ports/resource-history.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import type { Identifiers, ResourceWriter } from '../ports/resource-writer.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';
import type { Transactions } from '../ports/transactions.ts';

/** The ports of the use cases. Each use case takes the ones that it needs. */
export interface ResourcePorts {
  readonly reader: ResourceReader;
  readonly history: ResourceHistory;
  readonly removed: RemovedResources;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly schemas: SchemaValidator;
  readonly audit: AuditLog;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
  readonly plans: DeletionPlans;
  /** Seals the values of kinds such as Secret. */
  readonly sealer: Sealer;
  /** `outbound.allow_insecure_origins`: none by default. */
  readonly insecureOrigins?: readonly string[];
  /** Every configured controller id, for the rules about who owns a finalizer. */
  readonly controllerIds: readonly string[];
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

/** The members of an audit record that identify the resource. */
export function auditIdentity(resource: Resource): { resource: ResourceIdentity; revision: number } {
  return { resource: identityOf(resource), revision: resource.revision };
}
