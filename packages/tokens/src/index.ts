export {
  type Authenticator,
  type AuthenticatorDeps,
  type BearerScope,
  createAuthenticator,
  type RawExternalToken,
  type RefusedRawToken,
} from './bearer/authenticator.ts';
export { createControllerDirectory } from './bearer/controller-directory.ts';
export { createRoles, type Roles, sessionFacts, userWithRoles } from './bearer/roles.ts';
export { createTrustedIssuers } from './bearer/trusted-issuers.ts';
export type { TokenRefusal } from './bearer/verify-external.ts';
export { providerMetadata } from './discovery/provider-metadata.ts';
export { type ExchangeAnswer, exchangeToken } from './exchange/exchange-token.ts';
export { type ExchangeParameters, jwtTokenType, tokenExchangeGrant } from './exchange/parameters.ts';
export { createTokenIssuer, type IssuedToken, type TokenIssuer } from './issue/issue-token.ts';
export { maxTokenBytes, readToken } from './jws/read-token.ts';
export { accessKind } from './kinds/access.ts';
export type { ExternalClaims } from './kinds/external.ts';
export { idKind } from './kinds/id.ts';
export { type IngressClaims, ingressKind } from './kinds/ingress.ts';
export type { CommonClaims, IssuedKind } from './kinds/kind.ts';
export { sessionKind } from './kinds/session.ts';
export { issuedKinds } from './kinds/table.ts';
export { verifyOwn } from './kinds/verify-own.ts';
export { workloadKind } from './kinds/workload.ts';
export { type ClaimPatterns, claimPatternsSchema, readClaimPatterns } from './matching/claim-patterns.ts';
export type { ControllerEntry, ServiceAccountDirectory, ServiceAccountRecord } from './ports/directories.ts';
export type { EndedSessions, SessionIdentity } from './ports/ended-sessions.ts';
export type { ExternalKey, ExternalKeys, TrustedIssuers } from './ports/external-keys.ts';
export type { OwnAlgorithm, SignatureVerifier, Signer } from './ports/signatures.ts';
export type { Principal, ServiceAccountPrincipal, SessionFacts, UserPrincipal } from './principal.ts';
export { EndedSessionSet } from './sessions/ended-session-set.ts';
export {
  type IntrospectedToken,
  type Introspection,
  type IntrospectionPorts,
  introspect,
} from './sessions/introspect.ts';
export { listSessions } from './sessions/list-sessions.ts';
export {
  type LogoutToken,
  type LogoutTokenVerifier,
  logoutByProvider,
} from './sessions/logout-by-provider.ts';
export {
  emailKey,
  keysOf,
  loginsKey,
  type ProviderLogin,
  providerKey,
  type Revocation,
  sessionKey,
  userKey,
} from './sessions/revocation.ts';
export { type PresentedToken, revokeSession } from './sessions/revoke-session.ts';
export { type NewSession, readUserAgent, type Session } from './sessions/session.ts';
export type {
  ProviderLogout,
  SessionOwner,
  SessionPorts,
  SessionStore,
  SignOut,
} from './sessions/session-store.ts';
export { signOut } from './sessions/sign-out.ts';
