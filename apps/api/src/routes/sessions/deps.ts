import type { IntrospectionPorts, LogoutTokenVerifier, PresentedToken, SessionPorts } from '@platform/tokens';

/** The dependencies of the endpoints around sessions. */
export interface SessionDeps {
  readonly ports: SessionPorts;
  /** Reads a token that is to be revoked. */
  readonly present: (token: string) => PresentedToken;
  readonly introspection: IntrospectionPorts;
  /** Null when `auth.issuer` is not configured. */
  readonly logoutTokens: LogoutTokenVerifier | null;
}

/** A parameter without a value counts as not sent (RFC 6749 section 3.1). */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
