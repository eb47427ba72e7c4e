import type { LogFields } from '@platform/kernel';
import type { AuditLog, AuditRecord, Cascade, CascadeReason } from '@platform/resources';

const reasons: Readonly<Record<Cascade['relationship'], CascadeReason>> = {
  structuralChild: 'parent_deleted',
  ownerReference: 'owner_deleted',
};

/**
 * How many audit records of one deletion are written per tick of the event loop. Writing those of a wide cascade at once would block all
 * other requests for seconds.
 */
const recordsPerTick = 200;

/** An audit log that may have unwritten records. */
export interface PendingAuditLog extends AuditLog {
  /** Writes the remaining records synchronously. */
  finish(): void;
}

/** Writes audit records through `write`, see docs/http.md, "Audit records". */
export function createAuditLog(write: (message: string, fields: LogFields) => void): PendingAuditLog {
  const unfinished = new Set<() => void>();
  return {
    record: ({ message, ...record }: AuditRecord) => {
      const { requestId, actor, resource, revision, details } = record;
      write(message, { requestId, actor, resource, revision, ...details });
    },
    cascaded: (cascades, { actor, requestId }) => {
      let next = 0;
      const writeSome = (count: number) => {
        for (const cascade of cascades.slice(next, next + count)) {
          const { owner, dependent, relationship, blocking, revision } = cascade;
          const cause = { reason: reasons[relationship], relationship, blocking, owner, dependent };
          write('resource.deletion_cascaded', { requestId, actor, resource: dependent, revision, ...cause });
        }
        next += count;
      };
      const writeAll = () => writeSome(cascades.length);
      const writeTick = () => {
        writeSome(recordsPerTick);
        if (next >= cascades.length) unfinished.delete(writeAll);
        else setImmediate(writeTick);
      };
      unfinished.add(writeAll);
      writeTick();
    },
    finish: () => {
      for (const writeAll of unfinished) writeAll();
      unfinished.clear();
    },
  };
}
