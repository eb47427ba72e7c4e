import { verifies } from '@platform/kernel';
import type { CodeRecord } from '../model/flow.ts';
import { messages, remedies } from '../model/messages.ts';
import { ProxyError } from '../model/proxy-error.ts';
import { type ClientAuthentication, invalidClient } from './client-authentication.ts';

/** What the app presents together with its code. */
export interface Redemption {
  readonly client: ClientAuthentication;
  readonly redirectUri: string | null;
  readonly verifier: string | null;
}

/** The one refusal of a code, whatever is wrong with it. */
export function invalidCode(): ProxyError {
  return new ProxyError('invalid_grant', messages.code, { remedy: remedies.code });
}

/** Decides whether a code may be redeemed; throws otherwise. Nothing is consumed before it has passed. */
export function checkRedemption(record: CodeRecord, redemption: Redemption): void {
  const { client, redirectUri, verifier } = redemption;
  // Attack: a code caught on its way to one redirect URI is redeemed by a client that names another (RFC 6749, 4.1.3).
  if (redirectUri !== null && !isSameRedirect(redirectUri, record)) {
    throw new ProxyError('invalid_grant', 'redirect_uri is not the one that the code was issued for');
  }
  if (record.codeChallenge === null) {
    if (client === 'public') throw invalidClient(false);
    // Attack: PKCE downgrade (RFC 9700, section 4.8.2): the challenge was stripped from the request that a client with PKCE sent.
    if (verifier !== null)
      throw new ProxyError(
        'invalid_grant',
        'code_verifier was sent for a code issued without code_challenge',
      );
    return;
  }
  if (verifier === null || !verifies(verifier, record.codeChallenge)) {
    throw new ProxyError('invalid_grant', 'code_verifier does not match code_challenge');
  }
}

/** By simple string comparison (RFC 6749, section 3.1.2.3); where the app named none, any spelling of the project URL. */
function isSameRedirect(sent: string, record: CodeRecord): boolean {
  if (record.redirectUri !== null) return sent === record.redirectUri;
  return URL.canParse(sent) && new URL(sent).href === record.target;
}
