export {
  type Authenticator,
  type AuthenticatorDeps,
  type BearerScope,
  createAuthenticator,
  type RawExternalToken,
} from './bearer/authenticator.ts';
export { type ConfiguredController, createControllerDirectory } from './bearer/controller-directory.ts';
export {
  createRoles,
  foldEmailCase,
  type RoleEntry,
  type RoleIdentity,
  type Roles,
  sessionFacts,
  userWithRoles,
} from './bearer/roles.ts';
export { createTrustedIssuers, type TrustedIssuersDeps } from './bearer/trusted-issuers.ts';
export { type TokenRefusal, type VerifyExternalDeps, verifyExternal } from './bearer/verify-external.ts';
export { providerMetadata } from './discovery/provider-metadata.ts';
export {
  type ExchangeAnswer,
  type ExchangeDeps,
  type ExchangeParameters,
  exchangeToken,
} from './exchange/exchange-token.ts';
export { TOKEN_EXCHANGE_GRANT } from './exchange/grant-type.ts';
export { JWT_TOKEN_TYPE } from './exchange/subject-token-type.ts';
export {
  createTokenIssuer,
  type IssuedToken,
  type TokenIssuer,
  type TokenIssuerDeps,
} from './issue/issue-token.ts';
export {
  MAX_TOKEN_BYTES,
  type ReadClaims,
  type ReadHeader,
  type ReadToken,
  readToken,
} from './jws/read-token.ts';
export { type AccessClaims, accessKind } from './kinds/access.ts';
export { type ExternalClaims, externalKind } from './kinds/external.ts';
export { type IdClaims, type IdInput, idKind } from './kinds/id.ts';
export { type IngressClaims, type IngressInput, ingressKind } from './kinds/ingress.ts';
export {
  type CommonClaims,
  type IssuedKind,
  type IssuedKindName,
  type MintContext,
  prepareToken,
} from './kinds/kind.ts';
export { type SessionClaims, type SessionInput, sessionKind } from './kinds/session.ts';
export { acceptedKinds, issuedKinds } from './kinds/table.ts';
export { type Expectations, type Refusal, type Verdict, verifyOwn } from './kinds/verify-own.ts';
export { type WorkloadClaims, type WorkloadInput, workloadKind } from './kinds/workload.ts';
export { type ClaimPatterns, claimPatternsSchema, readClaimPatterns } from './matching/claim-patterns.ts';
export { matchesClaims } from './matching/match-claims.ts';
export type {
  ControllerDirectory,
  ControllerEntry,
  ServiceAccountDirectory,
  ServiceAccountRecord,
} from './ports/directories.ts';
export type { ExternalKey, ExternalKeys, TrustedIssuers } from './ports/external-keys.ts';
export type { OwnAlgorithm, SignatureVerifier, Signer, UnsignedToken } from './ports/signatures.ts';
export type {
  ControllerPrincipal,
  ExchangedPrincipal,
  Principal,
  ServiceAccountPrincipal,
  SessionFacts,
  UserPrincipal,
} from './principal.ts';
