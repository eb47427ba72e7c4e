import { OAuthError, type OAuthErrorCode } from '@platform/kernel';
import { messages, remedies } from '../model/messages.ts';

/** The upstream's errors that also apply to the app. */
const errorsForTheApp: readonly OAuthErrorCode[] = ['invalid_grant', 'invalid_scope', 'invalid_request'];
/** The upstream's errors that say to try again later. */
const temporaryErrors = ['temporarily_unavailable', 'slow_down'];
const temporaryStatuses = [408, 429];
/** The upstream's errors about our credentials, not the app's, or about itself. */
const errorsOfThePlatform = ['invalid_client', 'unauthorized_client', 'server_error'];

/**
 * The error for the app when the upstream rejects a refresh. Apps discard the refresh token after `invalid_grant`, so only an answer in
 * which a token endpoint refuses becomes that one (RFC 6749 section 5.2): status 400, or an `error` with a status of success.
 */
export function refreshRefusal(status: number, upstreamError: string | null): OAuthError {
  const description = messages.exchange(status);
  if (temporaryStatuses.includes(status) || temporaryErrors.some((known) => known === upstreamError)) {
    return new OAuthError('temporarily_unavailable', description);
  }
  const known = errorsForTheApp.find((code) => code === upstreamError);
  const isOurs =
    errorsOfThePlatform.some((code) => code === upstreamError) || status === 401 || status >= 500;
  const isRefusal = known !== undefined || status === 400 || status < 300;
  if (isOurs || !isRefusal) {
    return new OAuthError('server_error', description, { status: 502, remedy: remedies.exchange });
  }
  return new OAuthError(known ?? 'invalid_grant', description, { remedy: remedies.exchange });
}
