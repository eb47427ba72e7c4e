import { OAuthError, Problem } from '@platform/kernel';
import { problemHeaders } from '../http/send-problem.ts';
import { type Answer, json } from './answer.ts';

/** RFC 6749 section 5.1: nobody in between may store tokens or refusals. */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** An OAuth endpoint: it refuses as RFC 6749 section 5.2 says instead of with problem+json, and nothing it answers may be stored. */
export const oauthEndpoint = { headers: noStore, onError: oauthRefusal } as const;

/** `{error, error_description}` with the status of the code; null for internal errors, which are to be logged. */
function oauthRefusal(error: unknown): Answer | null {
  if (error instanceof OAuthError) {
    // RFC 6749 section 5.2: a client that tried to authenticate is told how.
    const headers =
      error.status === 401 ? { 'WWW-Authenticate': error.challenge ?? 'Basic realm="oauth"' } : {};
    return json(error.status, error.body, headers);
  }
  if (!(error instanceof Problem) || error.status === 500) return null;
  const code = error.status === 503 || error.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  return {
    ...json(error.status, new OAuthError(code, error.message).body, problemHeaders(error)),
    closes: error.code === 'payload_too_large',
  };
}
