import { OAuthError, secretHash } from '@platform/kernel';
import type { SessionPorts } from './session-store.ts';

/** The content of a valid logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
export interface LogoutToken {
  readonly issuer: string;
  /** The account; null when the token names a session only. */
  readonly subject: string | null;
  /** The session at the provider; null when the token names an account only. */
  readonly providerSession: string | null;
  readonly tokenId: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Verifies logout tokens of the identity provider of people. */
export interface LogoutTokenVerifier {
  /**
   * Must check the signature with a key of the provider, algorithm, `typ`, `iss`, `aud`, `iat`, `exp`, `jti`, `events`, that `sub` or `sid`
   * is there and that `nonce` is not (section 2.6); null for any other text. Throws `unavailable` when the provider's keys cannot be read.
   */
  verify(token: string): Promise<LogoutToken | null>;
}

/**
 * Ends the sessions that a logout token of the identity provider names (OpenID Connect Back-Channel Logout 1.0 section 2.7).
 *
 * Attack: a captured logout token is sent again after the user has logged in again. Each `jti` counts once (section 2.6 step 8), for as
 * long as the token is valid.
 */
export async function logoutByProvider(
  {
    sessions,
    keepSignOutSeconds: keepSeconds,
    verifier,
  }: SessionPorts & { readonly verifier: LogoutTokenVerifier | null },
  token: string | null,
): Promise<{
  readonly token: LogoutToken;
  readonly users: readonly { readonly uid: string; readonly email: string }[];
}> {
  if (token === null || token === '') throw new OAuthError('invalid_request', 'logout_token is required');
  const logout = verifier === null ? null : await verifier.verify(token);
  if (logout === null) throw new OAuthError('invalid_request', 'The logout token was not accepted');
  const { issuer, subject, providerSession, tokenId, expiresAt } = logout;
  const hash = secretHash(JSON.stringify(['logout_token', issuer, tokenId]));
  // The verifier allows for clock skew, so the mark outlives the token.
  const once = { hash, expiresAt: (expiresAt + replayMarginSeconds) * 1000 };
  const users = await sessions.endByProvider({ issuer, subject, providerSession, keepSeconds, once });
  if (users === null) throw new OAuthError('invalid_request', 'The logout token was used before');
  return { token: logout, users };
}

const replayMarginSeconds = 300;
