import { OAuthError } from '@platform/kernel';
import type { ExtensionName } from '../model/extension.ts';
import { type ForwardedAnswer, UpstreamFault } from '../ports/upstream.ts';
import { isPlatformToken } from '../rules/platform-token.ts';
import { findExtension } from './find-extension.ts';
import { refreshPrefix } from './issue-oidc-response.ts';
import type { ProxyPorts } from './ports.ts';
import { optionalMetadata } from './resolve-endpoints.ts';
import { upstreamUnavailable } from './upstream-client.ts';

/**
 * Forwards a userinfo request with the upstream's access token. The response has the upstream's status if that is 200, 400, 401
 * or 403, and 502 otherwise.
 */
export async function fetchUserinfo(
  ports: ProxyPorts,
  name: ExtensionName,
  authorization: string | undefined,
): Promise<ForwardedAnswer> {
  const extension = await findExtension(ports, name);
  const accessToken = bearerToken(authorization);
  if (accessToken.startsWith(refreshPrefix) || isPlatformToken(accessToken, ports.publicUrl)) {
    throw invalidToken();
  }
  const metadata = await optionalMetadata(ports, extension.spec);
  const endpoint = metadata?.userinfo_endpoint;
  if (endpoint === undefined) {
    throw new OAuthError('invalid_request', 'The provider has no userinfo endpoint', { status: 404 });
  }
  const answer = await forwarded(ports, endpoint, accessToken);
  if (answer.status === 200) return answer;
  if (answer.status === 401) throw invalidToken();
  if (answer.status === 400 || answer.status === 403) {
    throw new OAuthError('invalid_request', 'The provider refused the request', { status: answer.status });
  }
  throw new OAuthError('server_error', `The provider answered with status ${answer.status}`, { status: 502 });
}

/**
 * The bearer token of the header. Providers decide what an access token looks like (RFC 6749 appendix A.12); those of Salesforce
 * contain `!`, which RFC 6750 section 2.1 does not list.
 */
function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new OAuthError('invalid_token', 'An access token is required', { challenge: 'Bearer' });
  }
  const token = /^bearer +([\x21-\x7E]+)$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw invalidToken();
  return token;
}

function invalidToken(): OAuthError {
  return new OAuthError('invalid_token', 'The access token is invalid or expired', {
    challenge: 'Bearer error="invalid_token"',
  });
}

async function forwarded(ports: ProxyPorts, endpoint: string, accessToken: string): Promise<ForwardedAnswer> {
  try {
    return await ports.upstream.userinfo(endpoint, accessToken);
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    throw upstreamUnavailable('Userinfo', error);
  }
}
