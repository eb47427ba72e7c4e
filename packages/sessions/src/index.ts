export { EndedSessionSet } from './model/ended-session-set.ts';
export { emailKey, keysOf, type Revocation, sessionKey, userKey } from './model/revocation.ts';
export { type NewSession, readUserAgent, type Session } from './model/session.ts';
export type { LogoutToken, LogoutTokenVerifier } from './ports/logout-token-verifier.ts';
export type {
  ProviderLogout,
  SessionOwner,
  SessionPage,
  SessionStore,
  SignOut,
} from './ports/session-store.ts';
export {
  type IntrospectedToken,
  type Introspection,
  type IntrospectionPorts,
  introspect,
} from './usecases/introspect.ts';
export { listSessions } from './usecases/list-sessions.ts';
export { logoutByProvider } from './usecases/logout-by-provider.ts';
export type { SessionPorts } from './usecases/ports.ts';
export {
  type PresentedSession,
  type PresentedToken,
  type RevocationRequest,
  revokeSession,
} from './usecases/revoke-session.ts';
export { signOut } from './usecases/sign-out.ts';
