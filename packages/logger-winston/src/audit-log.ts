import type { LogFields } from '@platform/kernel';
import type { AuditLog, AuditRecord, Cascade, CascadeReason } from '@platform/resources';

const reasons: Readonly<Record<Cascade['relationship'], CascadeReason>> = {
  structuralChild: 'parent_deleted',
  ownerReference: 'owner_deleted',
};

/** Writes audit records (contract.md section 2, "Audit records") through `write`. */
export function createAuditLog(write: (message: string, fields: LogFields) => void): AuditLog {
  return {
    record: ({ message, ...record }: AuditRecord) => {
      const { requestId, actor, resource, revision, details } = record;
      write(message, { requestId, actor, resource, revision, ...details });
    },
    cascaded: (cascades, { actor, requestId }) => {
      for (const { owner, dependent, relationship, blocking, revision } of cascades) {
        const reason = reasons[relationship];
        const cascade = { reason, relationship, blocking, owner, dependent };
        write('resource.deletion_cascaded', { requestId, actor, resource: dependent, revision, ...cascade });
      }
    },
  };
}
