export { AccessRules, type EffectiveBinding } from './model/access-rules.ts';
export { type AuditAction, auditActions } from './model/audit-actions.ts';
export {
  type Actor,
  type AuditEntry,
  type AuditRecord,
  type AuditResource,
  auditOutcomes,
  auditRecord,
  type ChangeOrigin,
} from './model/audit-record.ts';
export { RefusalCounter } from './model/refusal-counter.ts';
export { type AccessRule, type AccessVerb, accessRule, accessVerbs, roleSpec } from './model/rule.ts';
export { type StoredAccess, type StoredRole, storedBinding, storedRole } from './model/stored-access.ts';
export { accessSubject, type CallerIdentity } from './model/subject.ts';
export { type AccessSource, StaleAccess } from './ports/access-source.ts';
export type { AuditFilter, AuditPage, AuditPosition, AuditStore, AuditTrail } from './ports/audit.ts';
export { bootstrapRoles } from './rules/bootstrap-roles.ts';
export { coversRules } from './rules/covers-rules.ts';
export {
  type Grant,
  grantFor,
  grantsOf,
  grantsOnKind,
  type Place,
  seesEveryKind,
  seesKind,
  usesKind,
} from './rules/grants.ts';
export { type RowGrant, rowGrantsOf } from './rules/row-grants.ts';
export { AccessRulesCache } from './usecases/access-rules-cache.ts';
export { exportAudit, listAudit, readAuditFilter } from './usecases/list-audit.ts';
