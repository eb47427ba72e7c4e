export { auditRecords } from './audit.ts';
export { changeLog, changes, changeTicks, subscriptionDeliveries } from './change-log.ts';
export { leases, pendingCascades, rateLimits } from './coordination.ts';
export { knownKeys } from './known-keys.ts';
export { deviceAuthorizations, loginOnce, users } from './login.ts';
export { extensionSigningKeys, oauthCodes, oauthSigningKeys, oauthStates } from './oauth.ts';
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
export { answeredRequests, deletionPlans } from './requests.ts';
export { accessRules, catalogEpoch, resourceLabels, resources } from './resources.ts';
export { sessionRevocations, sessions } from './sessions.ts';
