import { type ProxyExtension, upstreamSecretContext } from '../model/extension.ts';
import type { UpstreamEndpoints } from '../model/upstream-metadata.ts';
import type { UpstreamClient } from '../ports/upstream.ts';
import type { ProxyPorts } from './ports.ts';

/** The proxy's credentials at the provider; null if the stored secret cannot be opened. */
export function upstreamClient(
  { sealer }: Pick<ProxyPorts, 'sealer'>,
  extension: ProxyExtension,
  endpoints: Pick<UpstreamEndpoints, 'token' | 'metadata'>,
): UpstreamClient | null {
  const clientSecret = sealer.unseal(extension.sealedUpstreamSecret, upstreamSecretContext(extension));
  if (clientSecret === null) return null;
  const { token: tokenEndpoint, metadata } = endpoints;
  return { tokenEndpoint, metadata, clientId: extension.spec.client_id, clientSecret };
}
