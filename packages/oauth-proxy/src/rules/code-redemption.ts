import { OAuthError, verifiesChallenge } from '@platform/kernel';
import type { CodeRecord } from '../model/flow.ts';
import { messages, remedies } from '../model/messages.ts';
import { webUrl } from '../model/redirect-uri-text.ts';
import { type ClientAuthentication, invalidClient } from './client-authentication.ts';

/** The parts of a token request that must match its code. */
export interface Redemption {
  readonly client: ClientAuthentication;
  readonly redirectUri: string | null;
  readonly verifier: string | null;
}

/** One error for unknown, used and expired codes. */
export function invalidCode(): OAuthError {
  return new OAuthError('invalid_grant', messages.code, { remedy: remedies.code });
}

/** Checks whether a code may be redeemed, before it is consumed; throws otherwise. */
export function checkRedemption(record: CodeRecord, redemption: Redemption): void {
  const { client, redirectUri, verifier } = redemption;
  // Attack: a code intercepted at one redirect URI is redeemed by a client with another (RFC 6749 section 4.1.3).
  if (redirectUri !== null && !isSameRedirect(redirectUri, record)) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one that the code was issued for');
  }
  if (record.codeChallenge === null) {
    if (client === 'public') throw invalidClient({ usedHeader: false });
    // Attack: PKCE downgrade (RFC 9700 section 4.8.2): an attacker removed the challenge from the request of a client with PKCE.
    if (verifier !== null)
      throw new OAuthError(
        'invalid_grant',
        'code_verifier was sent for a code issued without code_challenge',
      );
    return;
  }
  if (verifier === null || !verifiesChallenge(verifier, record.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match code_challenge');
  }
}

/** Simple string comparison (RFC 6749 section 3.1.2.3); if the request had no redirect URI, any spelling of the project URL. */
function isSameRedirect(sent: string, record: CodeRecord): boolean {
  if (record.redirectUri !== null) return sent === record.redirectUri;
  return webUrl(sent)?.href === record.target;
}
