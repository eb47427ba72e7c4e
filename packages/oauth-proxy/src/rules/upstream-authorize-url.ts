import { challengeOf } from '@platform/kernel';
import type { OAuthExtensionSpec } from '../model/extension-spec.ts';
import type { UpstreamEndpoints } from '../model/upstream-metadata.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** The parameters that the proxy sends in the authorization request to the upstream (RFC 6749 section 4.1.1). */
export interface UpstreamAuthorizationRequest {
  readonly callbackUrl: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Requested from an OpenID provider when neither the app nor the extension names scopes. */
const defaultScope = 'openid email profile';

/**
 * The URL of the upstream's login. Keeps the query of the endpoint (RFC 6749 section 3.1), such as Google's `access_type=offline`.
 * Always with PKCE S256, independently of the app's own PKCE (RFC 9700 section 2.1.1).
 */
export function upstreamAuthorizeUrl(
  endpoints: UpstreamEndpoints,
  spec: OAuthExtensionSpec,
  request: AuthorizeRequest,
  own: UpstreamAuthorizationRequest,
): string {
  const url = new URL(endpoints.authorization);
  const scopes = upstreamScopes(endpoints, spec, request);
  // Without the scope `openid` a provider issues no ID token, and some providers then reject a nonce.
  const withNonce = endpoints.metadata === null || scopes.includes('openid');
  const added: readonly [string, string][] = [
    ['response_type', 'code'],
    ['client_id', spec.client_id],
    ['redirect_uri', own.callbackUrl],
    ['scope', scopes.join(' ')],
    ['state', own.state],
    ['nonce', withNonce ? own.nonce : ''],
    ['code_challenge', challengeOf(own.verifier)],
    ['code_challenge_method', 'S256'],
  ];
  for (const [name, value] of [...request.forwarded, ...added]) {
    if (value !== '') url.searchParams.set(name, value);
  }
  return url.href;
}

function upstreamScopes(
  { metadata }: UpstreamEndpoints,
  spec: OAuthExtensionSpec,
  request: AuthorizeRequest,
): readonly string[] {
  const byDefault = metadata === null ? '' : defaultScope;
  const named = request.scope ?? (spec.scopes?.join(' ') || byDefault);
  const scopes = named.split(' ').filter((scope) => scope !== '');
  // A nonce alone also makes a request one of OpenID Connect, which needs an ID token.
  const lacksOpenId = request.mode === 'oidc' && metadata !== null && !scopes.includes('openid');
  return lacksOpenId ? ['openid', ...scopes] : scopes;
}
