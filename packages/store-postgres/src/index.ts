export { type Database, migrate, openDatabase } from '@platform/postgres';
export { createEncryptLimiter, deleteExpiredRateLimits } from './encrypt-limiter.ts';
export { clockMarginMs } from './maintenance.ts';
export { deleteExpiredAnswers } from './operations/answered-requests/store.ts';
export { createAuditStore } from './operations/audit/audit-store.ts';
export { keepAuditPartitions } from './operations/audit/partitions.ts';
export { expireChanges } from './operations/change-log/expire.ts';
export { deleteExpiredPlans } from './operations/deletion-plans/store.ts';
export { fsck, fsckReport } from './operations/fsck/index.ts';
export { createKnownKeyStore } from './operations/known-keys/store.ts';
export { createAuthorizationCodeStore } from './operations/login/authorization-code-store.ts';
export { createDeviceAuthorizationStore } from './operations/login/device-authorization-store.ts';
export { createUsedStates } from './operations/login/used-states.ts';
export { createUserDirectory } from './operations/login/user-directory.ts';
export { createSigningKeyStore } from './operations/oauth/signing-key-store.ts';
export { createExtensionDirectory } from './operations/project-children/extension-directory.ts';
export { createServiceAccountDirectory } from './operations/project-children/service-account-directory.ts';
export { deleteFreeNames } from './operations/projects/free-names.ts';
export { createSealedValueStore } from './operations/sealed-values/store.ts';
export { deleteExpiredSessions } from './operations/sessions/expiry.ts';
export { createSessionStore } from './operations/sessions/session-store.ts';
export {
  createSubscriptionStore,
  deleteLostSubscriptions,
  replaceStatusWhileLeading,
} from './operations/subscriptions/store.ts';
export {
  createInProjectDryRun,
  createInProjectTransaction,
  createProjectDryRunStores,
  createProjectOrigins,
  createProjectStores,
} from './project-stores.ts';
export { openStore, type Store } from './store.ts';
