import type { AuditStore } from '@platform/audit';
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

/** Reads that are recorded. Writes stand in the change log, and refusals of every endpoint are recorded in one place. */
const recordedReads: ReadonlySet<AuditMessage> = new Set<AuditMessage>([
  'resource.pending_deletion_listed',
  'resource.deletion_blockers_listed',
  'resource.explained',
  'resource.deletion_planned',
]);

/** Writes audit records of resources to the log, as before, and stores those that the change log does not have. */
export function storedAuditLog(log: AuditLog, { queue }: AuditServices): AuditLog {
  return {
    record(record) {
      log.record(record);
      const { message, requestId, actor, resource, details } = record;
      if (!recordedReads.has(message)) return;
      queue.record(
        {
          action: 'resource.listed',
          ...(resource === undefined ? {} : { resource }),
          details: { read: message, ...details },
        },
        { actor, requestId, reason: null, sourceAddress: null, userAgent: null },
      );
    },
    cascaded: (cascades, context) => log.cascaded(cascades, context),
  };
}
