import { type Outbound, OutboundFailed } from '@platform/kernel';

/**
 * Where an issuer publishes its keys, from its discovery document (OpenID Connect Discovery 1.0 section 4).
 * Throws when there is none, or when it speaks for another issuer.
 */
export async function discoverJwksUri(outbound: Outbound, issuer: string): Promise<string> {
  const found = await outbound.getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { issuer: said, jwks_uri: jwksUri } = (found ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  // Attack (mix-up): the document of one issuer served under the address of another (section 4.3).
  if (said !== issuer)
    throw new OutboundFailed('bad_response', 'the discovery document names another issuer');
  if (typeof jwksUri !== 'string')
    throw new OutboundFailed('bad_response', 'the discovery document has no jwks_uri');
  return jwksUri;
}

/** Whether a discovery address can be made of the issuer: a URL without query and fragment (section 2). */
export function isDiscoverable(issuer: string): boolean {
  return URL.canParse(issuer) && !/[?#\s]/.test(issuer);
}
