import type { Actor, ChangeOrigin } from '@platform/access';
import type { ResourceIdentity } from '../model/resource.ts';
import type { Cascade } from './transactions.ts';

/** The events of the audit log (docs/http.md, "Audit records"). */
export type AuditMessage =
  | 'resource.created'
  | 'resource.updated'
  | 'resource.deleted'
  | 'resource.restored'
  | 'resource.controller_status_updated'
  | 'resource.controller_finalizers_updated'
  | 'resource.operator_status_updated'
  | 'resource.operator_finalizers_updated'
  | 'resource.status_updated'
  | 'resource.finalizers_updated'
  | 'resource.pending_deletion_listed'
  | 'resource.deletion_blockers_listed'
  | 'resource.explained'
  | 'resource.deletion_planned'
  | 'resource.access_denied';

/** One record. A listing and a refusal have no resource. */
export interface AuditRecord {
  readonly message: AuditMessage;
  readonly requestId: string;
  readonly actor: Actor;
  readonly resource?: ResourceIdentity;
  readonly revision?: number;
  /** Further members, e.g. the method and path of a refused request. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Where the request came from; the process that serves it adds it to stored records. */
  readonly origin?: Pick<ChangeOrigin, 'reason' | 'sourceAddress' | 'userAgent'>;
}

/** The reason why a dependent was tombstoned. */
export type CascadeReason = 'parent_deleted' | 'owner_deleted';

/** Records committed changes. It is best effort, and must not delay or fail the answer. */
export interface AuditLog {
  record(record: AuditRecord): void;

  /** Must emit one `resource.deletion_cascaded` record for each cascade, with its {@link CascadeReason}. */
  cascaded(
    cascades: readonly Cascade[],
    context: { readonly actor: Actor; readonly requestId: string | null },
  ): void;
}
