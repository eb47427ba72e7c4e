import { OAuthError, type OAuthErrorCode } from '@platform/kernel';
import { messages, remedies } from '../model/messages.ts';

/** The upstream's errors that also apply to the app. */
const MEANT_FOR_THE_APP: readonly OAuthErrorCode[] = ['invalid_grant', 'invalid_scope', 'invalid_request'];

/**
 * The error for the app when the upstream rejects a refresh. `invalid_client` concerns our credentials at the upstream, not the
 * app's, so it and every 5xx become `server_error`; any other error invalidates the grant.
 */
export function refreshRefusal(status: number, upstreamError: string | null): OAuthError {
  const description = messages.exchange(status);
  const ours =
    upstreamError === 'invalid_client' || upstreamError === 'unauthorized_client' || status === 401;
  if (ours || status >= 500) {
    return new OAuthError('server_error', description, { status: 502, remedy: remedies.exchange });
  }
  const code = MEANT_FOR_THE_APP.find((known) => known === upstreamError) ?? 'invalid_grant';
  return new OAuthError(code, description, { remedy: remedies.exchange });
}
