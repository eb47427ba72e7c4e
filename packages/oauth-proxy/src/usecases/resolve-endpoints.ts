import { OAuthError } from '@platform/kernel';
import type { OAuthExtensionSpec } from '../model/extension-spec.ts';
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
  const described = spec.authorization_endpoint !== undefined && spec.token_endpoint !== undefined;
  // With both endpoints in the spec, logins do not wait for discovery, which such a provider may not have.
  const metadata = described ? null : await discovered(ports, spec);
  const authorization = spec.authorization_endpoint ?? metadata?.authorization_endpoint;
  const token = spec.token_endpoint ?? metadata?.token_endpoint;
  if (authorization === undefined || token === undefined) throw unresolved(undefined);
  return { authorization, token, metadata };
}

/** The discovery document, or null for a provider that has none and whose endpoints are in the spec. */
export async function optionalMetadata(
  ports: Needs,
  spec: OAuthExtensionSpec,
): Promise<UpstreamMetadata | null> {
  const described = spec.authorization_endpoint !== undefined && spec.token_endpoint !== undefined;
  try {
    return (await ports.upstream.discover(spec.issuer_url)).metadata;
  } catch (error) {
    if (described && error instanceof UpstreamFault) return null;
    throw logged(ports, spec, error);
  }
}

async function discovered(ports: Needs, spec: OAuthExtensionSpec): Promise<UpstreamMetadata> {
  try {
    return (await ports.upstream.discover(spec.issuer_url)).metadata;
  } catch (error) {
    throw logged(ports, spec, error);
  }
}

function logged({ logger }: Needs, { issuer_url: issuer }: OAuthExtensionSpec, error: unknown): unknown {
  if (!(error instanceof UpstreamFault)) return error;
  logger.warn('oauth.discovery_failed', { issuer, fault: error.kind, reason: error.message });
  return unresolved(error);
}

function unresolved(cause: unknown): OAuthError {
  return new OAuthError('server_error', messages.endpoints, {
    status: 502,
    remedy: remedies.endpoints,
    cause,
  });
}
