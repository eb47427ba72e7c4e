export { deploymentKind, type RotateCredentialBody, rotateCredentialBody } from './kinds/deployment.ts';
export { environmentKind } from './kinds/environment.ts';
export { extensionKind } from './kinds/extension.ts';
export type { ChildKind, Rendered } from './kinds/kind.ts';
export { renderProject } from './kinds/project.ts';
export { serviceAccountKind } from './kinds/service-account.ts';
export { renderTeam } from './kinds/team.ts';
export * from './model/bodies.ts';
export * from './model/records.ts';
export type { Sent } from './model/sent.ts';
export { isTemplateOrigin, originOf } from './model/urls.ts';
export type { EncryptLimiter } from './ports/encrypt-limiter.ts';
export type {
  AddressTaken,
  ChildStore,
  ChildStores,
  DeploymentDirectory,
  Draft,
  NameReserved,
  OrganizationInsert,
  PageOf,
  PageQuery,
  PageRequest,
  ProjectDraft,
  ProjectInsert,
  ProjectOfAccount,
  ProjectStore,
  TeamDraft,
  TeamStore,
  Viewer,
} from './ports/stores.ts';
export type {
  Changes,
  ChildWriter,
  ChildWriters,
  ProjectTransaction,
  ProjectTransactions,
} from './ports/transactions.ts';
export { denied } from './rules/access.ts';
export { trustedAddresses } from './rules/addresses.ts';
export {
  createChild,
  deleteChild,
  getChild,
  type ItemRequest,
  listChildren,
  readReplacement,
  replaceChild,
} from './usecases/children.ts';
export { createProject } from './usecases/create-project.ts';
export { deleteProject } from './usecases/delete-project.ts';
export { type DomainChallenge, domainChallenges } from './usecases/domain-challenges.ts';
export { type EncryptBody, encryptBody, encryptSecret } from './usecases/encrypt.ts';
export { listProjects, listTeams } from './usecases/list-projects.ts';
export { type IngressGrant, mintIngressToken, requireVisit } from './usecases/mint-ingress-token.ts';
export {
  mintWorkloadToken,
  type WorkloadGrant,
  type WorkloadTokenRequest,
  workloadTokenBody,
  workloadTokenSchema,
} from './usecases/mint-workload-token.ts';
export { openIngressToken } from './usecases/open-ingress-token.ts';
export type { ProjectPorts } from './usecases/ports.ts';
export { replaceProject } from './usecases/replace-project.ts';
export { requireProject } from './usecases/require-project.ts';
export { rotateClientSecret } from './usecases/rotate-client-secret.ts';
export { rotateCredential } from './usecases/rotate-credential.ts';
export { createTeam, deleteTeam, getTeam, replaceTeam } from './usecases/teams.ts';
