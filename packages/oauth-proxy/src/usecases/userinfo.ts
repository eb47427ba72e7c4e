import type { ExtensionName } from '../model/extension.ts';
import { ProxyError } from '../model/proxy-error.ts';
import { type ForwardedAnswer, UpstreamFault } from '../ports/upstream.ts';
import { isPlatformToken } from '../rules/platform-token.ts';
import { describe } from './fetch-tokens.ts';
import { findExtension } from './find-extension.ts';
import { REFRESH_PREFIX } from './issue-oidc-answer.ts';
import type { ProxyPorts } from './ports.ts';
import { optionalMetadata } from './resolve-endpoints.ts';

/**
 * Forwards a userinfo request: the access token is the upstream's own. The answer keeps upstream's status
 * when that is 200, 400, 401 or 403, and is `502` otherwise.
 */
export async function userinfo(
  ports: ProxyPorts,
  name: ExtensionName,
  authorization: string | undefined,
): Promise<ForwardedAnswer> {
  const extension = await findExtension(ports, name);
  const accessToken = bearerToken(authorization);
  if (accessToken.startsWith(REFRESH_PREFIX) || isPlatformToken(accessToken, ports.publicUrl)) {
    throw invalidToken();
  }
  const metadata = await optionalMetadata(ports, extension.spec);
  const endpoint = metadata?.userinfo_endpoint;
  if (endpoint === undefined) {
    throw new ProxyError('invalid_request', 'The provider has no userinfo endpoint', { status: 404 });
  }
  const answer = await forwarded(ports, endpoint, accessToken);
  if (answer.status === 200) return answer;
  if (answer.status === 401) throw invalidToken();
  if (answer.status === 400 || answer.status === 403) {
    throw new ProxyError('invalid_request', 'The provider refused the request', { status: answer.status });
  }
  throw new ProxyError('server_error', `The provider answered with status ${answer.status}`, { status: 502 });
}

/** RFC 6750, section 2.1. */
function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new ProxyError('invalid_token', 'An access token is required', {
      status: 401,
      challenge: 'Bearer',
    });
  }
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw invalidToken();
  return token;
}

function invalidToken(): ProxyError {
  return new ProxyError('invalid_token', 'The access token is invalid or expired', {
    status: 401,
    challenge: 'Bearer error="invalid_token"',
  });
}

async function forwarded(ports: ProxyPorts, endpoint: string, accessToken: string): Promise<ForwardedAnswer> {
  try {
    return await ports.upstream.userinfo(endpoint, accessToken);
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    throw new ProxyError('temporarily_unavailable', `Userinfo failed: ${describe(error)}`, {
      status: 503,
      cause: error,
    });
  }
}
