import { OAuthError, secretHash } from '@platform/kernel';
import type { LogoutToken, LogoutTokenVerifier } from './logout-token-verifier.ts';
import type { SessionPorts } from './session-store.ts';

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
