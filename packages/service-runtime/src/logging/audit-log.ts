import type { LogFields } from '@platform/kernel';
import type { AuditLog, AuditRecord, Cascade, CascadeReason } from '@platform/resources';

const reasons: Readonly<Record<Cascade['relationship'], CascadeReason>> = {
  structuralChild: 'parent_deleted',
  ownerReference: 'owner_deleted',
};

/**
 * Records of one deletion that are written in one turn of the event loop, as many as the collector's batches have by default: some 5 ms. The
 * 100,000 of a wide parent would keep every other request waiting for seconds.
 */
const recordsATurn = 200;

/** An audit log that may still have records to write. */
export interface PendingAuditLog extends AuditLog {
  /** Writes what is left at once. */
  finish(): void;
}

/** Writes audit records (contract.md section 2, "Audit records") through `write`. */
export function createAuditLog(write: (message: string, fields: LogFields) => void): PendingAuditLog {
  const unfinished = new Set<() => void>();
  return {
    record: ({ message, ...record }: AuditRecord) => {
      const { requestId, actor, resource, revision, details } = record;
      write(message, { requestId, actor, resource, revision, ...details });
    },
    cascaded: (cascades, { actor, requestId }) => {
      let next = 0;
      const writeSome = (most: number) => {
        for (const cascade of cascades.slice(next, next + most)) {
          const { owner, dependent, relationship, blocking, revision } = cascade;
          const why = { reason: reasons[relationship], relationship, blocking, owner, dependent };
          write('resource.deletion_cascaded', { requestId, actor, resource: dependent, revision, ...why });
        }
        next += most;
      };
      const writeAll = () => writeSome(cascades.length);
      const turn = () => {
        writeSome(recordsATurn);
        if (next >= cascades.length) unfinished.delete(writeAll);
        else setImmediate(turn);
      };
      unfinished.add(writeAll);
      turn();
    },
    finish: () => {
      for (const writeAll of unfinished) writeAll();
      unfinished.clear();
    },
  };
}
