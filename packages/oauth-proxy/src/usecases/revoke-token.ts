import { OAuthError } from '@platform/kernel';
import type { ExtensionName } from '../model/extension.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { authenticateClient, type ClientRequest } from '../rules/client-authentication.ts';
import { requireParameter } from '../rules/parameters.ts';
import { isPlatformToken } from '../rules/platform-token.ts';
import { findExtension } from './find-extension.ts';
import { refreshPrefix } from './issue-oidc-response.ts';
import type { ProxyPorts } from './ports.ts';
import { openRefreshToken } from './refresh-tokens.ts';
import { optionalMetadata, resolveEndpoints } from './resolve-endpoints.ts';
import { upstreamClient, upstreamUnavailable } from './upstream-client.ts';

/**
 * Forwards a revocation (RFC 7009). A public client needs no proof but the token itself.
 * A sealed token that cannot be opened counts as revoked already.
 */
export async function revokeToken(
  ports: ProxyPorts,
  name: ExtensionName,
  request: ClientRequest,
): Promise<void> {
  const extension = await findExtension(ports, name);
  const { parameters } = request;
  authenticateClient(request, extension);
  const presented = requireParameter(parameters, 'token');
  if (isPlatformToken(presented, ports.publicUrl)) {
    throw new OAuthError(
      'unsupported_token_type',
      'The token was issued by the platform, not by the provider',
    );
  }
  const endpoint = (await optionalMetadata(ports, extension.spec))?.revocation_endpoint;
  if (endpoint === undefined) {
    throw new OAuthError('unsupported_token_type', 'The provider has no revocation endpoint', {
      status: 404,
    });
  }
  const token = presented.startsWith(refreshPrefix)
    ? unlessInvalid(() => openRefreshToken(ports, extension, presented).refreshToken)
    : presented;
  if (token === null) return;
  const client = upstreamClient(ports, extension, await resolveEndpoints(ports, extension.spec));
  const hint = parameters.get('token_type_hint') ?? null;
  await forward(() => ports.upstream.revoke(client, endpoint, { token, hint }));
}

function unlessInvalid(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof OAuthError) return null;
    throw error;
  }
}

async function forward(send: () => Promise<number>): Promise<void> {
  try {
    const status = await send();
    if (status !== 200 && status !== 204) {
      throw new OAuthError('server_error', `Revocation failed with status ${status}`, { status: 502 });
    }
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    throw upstreamUnavailable('Revocation', error);
  }
}
