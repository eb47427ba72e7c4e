import { messages, remedies } from '../model/messages.ts';
import { ProxyError, type ProxyErrorCode } from '../model/proxy-error.ts';

/** The refusals of a refresh that mean the same to the app as to us. */
const MEANT_FOR_THE_APP: readonly ProxyErrorCode[] = ['invalid_grant', 'invalid_scope', 'invalid_request'];

/**
 * What the app hears when upstream refuses a refresh. `invalid_client` upstream is about our credentials there, not about
 * the app's, so it and every 5xx are a fault of the service; any other refusal ends the grant.
 */
export function refreshRefusal(status: number, upstreamError: string | null): ProxyError {
  const description = messages.exchange(status);
  const ours =
    upstreamError === 'invalid_client' || upstreamError === 'unauthorized_client' || status === 401;
  if (ours || status >= 500) {
    return new ProxyError('server_error', description, { status: 502, remedy: remedies.exchange });
  }
  const code = MEANT_FOR_THE_APP.find((known) => known === upstreamError) ?? 'invalid_grant';
  return new ProxyError(code, description, { remedy: remedies.exchange });
}
