import { OAuthError, type OAuthErrorCode } from '@platform/kernel';
import { messages, remedies } from '../model/messages.ts';

/** The upstream's errors that also apply to the app. */
const MEANT_FOR_THE_APP: readonly OAuthErrorCode[] = ['invalid_grant', 'invalid_scope', 'invalid_request'];
/** The upstream's errors that say to try again later. */
const TEMPORARY = ['temporarily_unavailable', 'slow_down'];
const TEMPORARY_STATUSES = [408, 429];
/** The upstream's errors about our credentials, not the app's, or about itself. */
const OURS = ['invalid_client', 'unauthorized_client', 'server_error'];

/**
 * The error for the app when the upstream rejects a refresh. Apps discard the refresh token after `invalid_grant`, so only an answer in
 * which a token endpoint refuses becomes that one (RFC 6749 section 5.2): status 400, or an `error` with a status of success.
 */
export function refreshRefusal(status: number, upstreamError: string | null): OAuthError {
  const description = messages.exchange(status);
  if (TEMPORARY_STATUSES.includes(status) || TEMPORARY.some((known) => known === upstreamError)) {
    return new OAuthError('temporarily_unavailable', description);
  }
  const known = MEANT_FOR_THE_APP.find((code) => code === upstreamError);
  const isOurs = OURS.some((code) => code === upstreamError) || status === 401 || status >= 500;
  const isRefusal = known !== undefined || status === 400 || status < 300;
  if (isOurs || !isRefusal) {
    return new OAuthError('server_error', description, { status: 502, remedy: remedies.exchange });
  }
  return new OAuthError(known ?? 'invalid_grant', description, { remedy: remedies.exchange });
}
