import { isChallenge, OAuthError, Problem } from '@platform/kernel';
import { type Authentication, type NativeDestination, nativeClientId } from '../model/login-transaction.ts';
import { isLoopbackRedirect } from './redirects.ts';

/** The parameters of an authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3); null when not sent. */
export interface NativeLoginRequest {
  readonly clientId: string | null;
  readonly redirectUri: string | null;
  readonly responseType: string | null;
  readonly responseMode: string | null;
  readonly state: string | null;
  readonly codeChallenge: string | null;
  readonly codeChallengeMethod: string | null;
  readonly nonce: string | null;
  /** The request as one signed object, or a reference to one (OpenID Connect Core section 6). */
  readonly request: string | null;
  readonly requestUri: string | null;
  readonly prompt: string | null;
  readonly maxAge: string | null;
}

/** A valid request, or the error to return to the client's redirect URI. */
export type NativeLoginValidation =
  | {
      readonly outcome: 'valid';
      readonly destination: NativeDestination;
      readonly authentication: Authentication;
    }
  | {
      readonly outcome: 'invalid';
      readonly redirectUri: string;
      readonly state: string | null;
      readonly error: OAuthError;
    };

/**
 * Validates the authorization request of a native client (RFC 8252). A wrong client or redirect URI throws instead of
 * redirecting: a redirect would send the response to the author of the link. All other errors go to the client.
 */
export function validateNativeLogin(request: NativeLoginRequest): NativeLoginValidation {
  if (request.clientId !== nativeClientId)
    throw new Problem('invalid_query', `client_id must be ${nativeClientId}.`);
  const redirectUri = request.redirectUri ?? '';
  if (!isLoopbackRedirect(redirectUri)) {
    throw new Problem(
      'invalid_query',
      'redirect_uri must be an http URL of 127.0.0.1, [::1] or localhost, without a fragment.',
    );
  }
  const { state, nonce } = request;
  const invalid = (error: OAuthError): NativeLoginValidation => ({
    outcome: 'invalid',
    redirectUri,
    state,
    error,
  });
  const unsupported = unsupportedParameter(request);
  if (unsupported !== null) return invalid(unsupported);
  const codeChallenge = request.codeChallenge ?? '';
  if (request.codeChallengeMethod !== 'S256' || !isChallenge(codeChallenge)) {
    return invalid(
      new OAuthError('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256'),
    );
  }
  if (state === null || state === '' || state.length > 1024) {
    return invalid(new OAuthError('invalid_request', 'state is required, at most 1024 characters'));
  }
  if (nonce !== null && nonce.length > 1024)
    return invalid(new OAuthError('invalid_request', 'nonce is too long'));
  const authentication = readAuthentication(request);
  if (authentication instanceof OAuthError) return invalid(authentication);
  const { prompt, maxAge } = authentication;
  // The user is asked again during the login, or at most as long before it as the client says.
  const answered = prompt.includes('login') ? 0 : maxAge;
  const destination = { kind: 'native', redirectUri, state, codeChallenge, nonce, maxAge: answered } as const;
  return { outcome: 'valid', destination, authentication };
}

const prompts = ['login', 'consent', 'select_account'];

/** How the user is to be authenticated (OpenID Connect Core section 3.1.2.1). Ignoring it would let a client believe that the user was asked. */
function readAuthentication({ prompt, maxAge }: NativeLoginRequest): Authentication | OAuthError {
  const asked = (prompt ?? '').split(' ').filter((one) => one !== '');
  if (asked.some((one) => !prompts.includes(one)))
    return new OAuthError('invalid_request', `prompt may name ${prompts.join(', ')}`);
  if (isMissing(maxAge)) return { prompt: asked, maxAge: null };
  if (!/^\d{1,9}$/.test(maxAge ?? ''))
    return new OAuthError('invalid_request', 'max_age must be a number of seconds');
  return { prompt: asked, maxAge: Number(maxAge) };
}

/**
 * The error of a request for what the endpoint does not offer; null for none. Ignoring `request`, `request_uri` or `response_mode` would
 * silently do something else than the client requested (OpenID Connect Core section 6.1).
 */
function unsupportedParameter(sent: NativeLoginRequest): OAuthError | null {
  if (isMissing(sent.responseType)) return new OAuthError('invalid_request', 'response_type is required');
  if (sent.responseType !== 'code')
    return new OAuthError('unsupported_response_type', 'response_type must be code');
  if (!isMissing(sent.request)) return new OAuthError('request_not_supported', 'request is not supported');
  if (!isMissing(sent.requestUri))
    return new OAuthError('request_uri_not_supported', 'request_uri is not supported');
  if (!isMissing(sent.responseMode) && sent.responseMode !== 'query')
    return new OAuthError('invalid_request', 'response_mode must be query');
  // OpenID Connect Core section 3.1.2.1: a client that begins a login in the background must not get a page.
  if (sent.prompt?.split(' ').includes('none') === true)
    return new OAuthError('login_required', 'A login shows pages; leave prompt=none out');
  return null;
}

/** A parameter without a value counts as not sent (RFC 6749 section 3.1). */
function isMissing(value: string | null): boolean {
  return value === null || value === '';
}
