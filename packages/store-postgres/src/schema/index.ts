export { answeredRequests } from './answered-requests.ts';
export { auditRecords } from './audit.ts';
export { changeLog, changes, changeTicks } from './change-log.ts';
export { deletionPlans } from './deletion-plans.ts';
export { knownKeys } from './known-keys.ts';
export { leases } from './leases.ts';
export { deviceAuthorizations, loginOnce, users } from './login.ts';
export { extensionSigningKeys, oauthCodes, oauthSigningKeys, oauthStates } from './oauth.ts';
export { pendingCascades } from './pending-cascades.ts';
export {
  type ChildTable,
  deployments,
  environments,
  extensions,
  projectAddresses,
  projects,
  reservedProjectNames,
  serviceAccounts,
  teamMembers,
  teams,
} from './projects.ts';
export { rateLimits } from './rate-limits.ts';
export { accessRules, catalogEpoch, resourceLabels, resources } from './resources.ts';
export { sessionRevocations, sessions } from './sessions.ts';
export { subscriptionDeliveries } from './subscriptions.ts';
