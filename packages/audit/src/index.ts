export { type AuditAction, auditActions } from './model/actions.ts';
export {
  type AuditEntry,
  type AuditOutcome,
  type AuditRecord,
  type AuditResource,
  auditRecord,
} from './model/record.ts';
export { RefusalCounter } from './model/refusal-counter.ts';
export type { AuditFilter, AuditPage, AuditPosition, AuditStore } from './ports/audit-store.ts';
export type { AuditTrail } from './ports/audit-trail.ts';
export { exportAudit, listAudit, readAuditFilter, type SentFilter } from './usecases/list-audit.ts';
