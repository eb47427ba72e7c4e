import type { AuditEntry, ChangeOrigin } from '../model/audit-record.ts';

/** Takes records that have no transaction of their own. Best effort: it must not delay or fail the answer. */
export interface AuditTrail {
  record(entry: AuditEntry, origin: ChangeOrigin): void;
}
