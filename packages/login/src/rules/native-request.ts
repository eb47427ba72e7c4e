import { OAuthError, Problem } from '@platform/kernel';
import { type Destination, nativeClientId } from '../model/trip.ts';
import { isLoopbackRedirect } from './redirects.ts';

/** An authorization request of a native client that may go ahead, or the error to send back to it. */
export type NativeRequest =
  | { readonly outcome: 'accepted'; readonly destination: Extract<Destination, { kind: 'native' }> }
  | {
      readonly outcome: 'refused';
      readonly redirectUri: string;
      readonly state: string | null;
      readonly error: OAuthError;
    };

/**
 * Judges `GET /api/v1/auth/authorize` (RFC 6749 section 4.1.1, RFC 8252). A client or redirect URI that does not fit is answered
 * here, never by a redirect: it would hand the answer to whoever wrote the link. Everything else goes back to the client.
 */
export function judgeNativeRequest(query: URLSearchParams): NativeRequest {
  const repeated = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw new Problem('invalid_query', `${repeated} must be there once.`);
  if (query.get('client_id') !== nativeClientId)
    throw new Problem('invalid_query', `client_id must be ${nativeClientId}.`);
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isLoopbackRedirect(redirectUri)) {
    throw new Problem(
      'invalid_query',
      'redirect_uri must be an http URL of 127.0.0.1, [::1] or localhost, without a fragment.',
    );
  }
  const state = query.get('state');
  const refused = (error: OAuthError): NativeRequest => ({ outcome: 'refused', redirectUri, state, error });
  if (query.get('response_type') !== 'code') {
    return refused(new OAuthError('unsupported_response_type', 'response_type must be code'));
  }
  const codeChallenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    return refused(
      new OAuthError('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256'),
    );
  }
  if (state === null || state === '' || state.length > 1024) {
    return refused(new OAuthError('invalid_request', 'state is required, at most 1024 characters'));
  }
  const nonce = query.get('nonce');
  if (nonce !== null && nonce.length > 1024)
    return refused(new OAuthError('invalid_request', 'nonce is too long'));
  return { outcome: 'accepted', destination: { kind: 'native', redirectUri, state, codeChallenge, nonce } };
}
