import { OAuthError, type OAuthErrorCode, Problem } from '@platform/kernel';
import { problemHeaders } from '../http/send-problem.ts';
import { type Answer, type Headers, json } from './answer.ts';
import type { Call } from './call.ts';

/** RFC 6749 section 5.1: no cache may store tokens or refusals. */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** An OAuth endpoint: it refuses as RFC 6749 section 5.2 says instead of with problem+json, and nothing it answers may be stored. */
export const oauthEndpoint = { headers: noStore, onError: oauthRefusal } as const;

/** The OAuth errors of problems whose cause is not in the parameters, by status. */
const codes: Readonly<Record<number, OAuthErrorCode>> = {
  401: 'invalid_token',
  403: 'access_denied',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

/** RFC 6750, section 3.1: the answer to a request without a bearer token has no error code. */
function challengeFor({ authorization = '' }: Call['headers']): Headers {
  return { 'WWW-Authenticate': /^bearer /i.test(authorization) ? 'Bearer error="invalid_token"' : 'Bearer' };
}

/** `{error, error_description}` with the status of the code; null for internal errors, which are to be logged. */
function oauthRefusal(error: unknown, { headers: sent }: Pick<Call, 'headers'>): Answer | null {
  if (error instanceof OAuthError) {
    // RFC 6749 section 5.2: the answer names the scheme by which the client can authenticate.
    const headers =
      error.status === 401 ? { 'WWW-Authenticate': error.challenge ?? 'Basic realm="oauth"' } : {};
    return json(error.status, error.body, headers);
  }
  if (!(error instanceof Problem) || error.status === 500) return null;
  const code = codes[error.status] ?? 'invalid_request';
  const headers = { ...problemHeaders(error), ...(error.status === 401 ? challengeFor(sent) : {}) };
  return {
    ...json(error.status, new OAuthError(code, error.message).body, headers),
    early: error.code === 'payload_too_large',
  };
}
