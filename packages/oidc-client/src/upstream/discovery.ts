import { isEndpointUrl, type SpecPolicy, type UpstreamMetadata } from '@platform/oauth-proxy';
import type { ProviderMetadata } from '../documents/discovery.ts';

const urls = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
] as const;

/** Removes unacceptable URLs. Attack: `javascript:` as authorization endpoint, or an endpoint without TLS. */
export function upstreamMetadata(metadata: ProviderMetadata, policy: SpecPolicy): UpstreamMetadata {
  const refused = urls.filter((name) => {
    const url = metadata[name];
    return url !== undefined && !isEndpointUrl(url, policy);
  });
  const members = Object.entries(metadata).filter(([name]) => !refused.some((url) => url === name));
  return { issuer: metadata.issuer, ...Object.fromEntries(members) };
}
