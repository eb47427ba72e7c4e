import { OAuthError } from '@platform/kernel';
import { type ProxyExtension, upstreamSecretContext } from '../model/extension.ts';
import type { UpstreamEndpoints } from '../model/upstream-metadata.ts';
import type { UpstreamClient, UpstreamFault } from '../ports/upstream.ts';
import type { ProxyPorts } from './ports.ts';

/** The proxy as a client of the provider. Throws `server_error` if the stored secret cannot be opened. */
export function upstreamClient(
  { sealer }: Pick<ProxyPorts, 'sealer'>,
  extension: ProxyExtension,
  endpoints: Pick<UpstreamEndpoints, 'token' | 'metadata'>,
): UpstreamClient {
  const clientSecret = sealer.unseal(extension.sealedUpstreamSecret, upstreamSecretContext(extension));
  if (clientSecret === null) {
    throw new OAuthError('server_error', 'The stored client secret of the provider cannot be decrypted');
  }
  const { token: tokenEndpoint, metadata } = endpoints;
  return { tokenEndpoint, metadata, clientId: extension.spec.client_id, clientSecret };
}

/** A description for the app and the user. */
export function describeFault(fault: UpstreamFault): string {
  if (fault.kind === 'timeout') return 'the provider did not answer in time';
  if (fault.kind === 'too_large' || fault.kind === 'unreadable')
    return 'the answer of the provider is not usable';
  return 'the provider could not be reached';
}

/** The error of a request that the provider did not answer; `action` is the beginning of a sentence. */
export function upstreamUnavailable(action: string, fault: UpstreamFault): OAuthError {
  return new OAuthError('temporarily_unavailable', `${action} failed: ${describeFault(fault)}`, {
    cause: fault,
  });
}
