import { OAuthError } from '@platform/kernel';
import { namesEndpoints, type OAuthExtensionSpec } from '../model/extension-spec.ts';
import { messages, remedies } from '../model/messages.ts';
import type { UpstreamEndpoints, UpstreamMetadata } from '../model/upstream-metadata.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import type { ProxyPorts } from './ports.ts';

type Needs = Pick<ProxyPorts, 'upstream' | 'logger'>;

/**
 * The endpoints of a login: those of the spec, otherwise those of OIDC discovery. Throws `server_error` if one of them is in
 * neither.
 */
export async function resolveEndpoints(ports: Needs, spec: OAuthExtensionSpec): Promise<UpstreamEndpoints> {
  const metadata = namesEndpoints(spec) ? null : await optionalMetadata(ports, spec);
  const authorization = spec.authorization_endpoint ?? metadata?.authorization_endpoint;
  const token = spec.token_endpoint ?? metadata?.token_endpoint;
  if (authorization === undefined || token === undefined) throw unresolved(undefined);
  return { authorization, token, metadata };
}

/** The discovery document, or null for a provider that has none and whose endpoints are in the spec. */
export async function optionalMetadata(
  { upstream, logger }: Needs,
  spec: OAuthExtensionSpec,
): Promise<UpstreamMetadata | null> {
  const { issuer_url: issuer } = spec;
  try {
    return (await upstream.discover(issuer)).metadata;
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    if (namesEndpoints(spec)) return null;
    logger.warn('oauth.discovery_failed', { issuer, fault: error.kind, reason: error.message });
    throw unresolved(error);
  }
}

function unresolved(cause: unknown): OAuthError {
  return new OAuthError('server_error', messages.endpoints, {
    status: 502,
    remedy: remedies.endpoints,
    cause,
  });
}
