import type { AuditAction, AuditStore } from '@platform/access';
import type { AuditLog, AuditMessage } from '@platform/resources';
import { createAuditStore } from '@platform/store-postgres';
import { type BoundEndpoint, bind } from '../endpoint/descriptor.ts';
import { AuditQueue } from '../process/audit-queue.ts';
import { auditEndpoints } from '../routes/audit/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** The stored audit records, and the way to them for actions without a transaction of their own. */
export interface AuditServices {
  readonly store: AuditStore;
  readonly queue: AuditQueue;
}

/** Opens the audit records; it opens no connection. */
export function openAudit({ store, identifiers, clock, logging, metrics }: Infrastructure): AuditServices {
  const records = createAuditStore(store.database);
  const queue = new AuditQueue({
    store: records,
    identifiers,
    clock,
    log: logging.logger,
    onDropped: metrics.auditDropped,
  });
  return { store: records, queue };
}

/** The endpoint of audit records. */
export function wireAudit({ store }: AuditServices): readonly BoundEndpoint[] {
  return bind(auditEndpoints, { store });
}

/** Reads that are recorded. Writes are in the change log, and refusals of every endpoint are recorded in one place. */
const recordedReads: ReadonlySet<AuditMessage> = new Set<AuditMessage>([
  'resource.pending_deletion_listed',
  'resource.deletion_blockers_listed',
  'resource.explained',
  'resource.deletion_planned',
]);

/** The action that a dry run of a write would have been: the change log has nothing of it. */
const triedActions: Readonly<Partial<Record<AuditMessage, AuditAction>>> = {
  'resource.created': 'resource.created',
  'resource.updated': 'resource.updated',
  'resource.deleted': 'resource.deleted',
  'resource.restored': 'resource.restored',
  'resource.status_updated': 'resource.status_updated',
  'resource.operator_status_updated': 'resource.status_updated',
  'resource.controller_status_updated': 'resource.status_updated',
  'resource.finalizers_updated': 'resource.finalizers_updated',
  'resource.operator_finalizers_updated': 'resource.finalizers_updated',
  'resource.controller_finalizers_updated': 'resource.finalizers_updated',
};

/** Writes audit records of resources to the log, and stores those that the change log does not have. */
export function storedAuditLog(log: AuditLog, { queue }: AuditServices): AuditLog {
  return {
    record(record) {
      const { message, requestId, actor, resource, details } = record;
      // The log reports committed changes, and scripts count them.
      if (details?.['dryRun'] !== true) log.record(record);
      const { reason = null, sourceAddress = null, userAgent = null } = record.origin ?? {};
      const origin = { actor, requestId, reason, sourceAddress, userAgent };
      const about = resource === undefined ? {} : { resource };
      const tried = details?.['dryRun'] === true ? triedActions[message] : undefined;
      if (tried !== undefined) queue.record({ action: tried, ...about, details: { ...details } }, origin);
      if (recordedReads.has(message))
        queue.record({ action: 'resource.listed', ...about, details: { read: message, ...details } }, origin);
    },
    cascaded: (cascades, context) => log.cascaded(cascades, context),
  };
}
