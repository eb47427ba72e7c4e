import { challengeOf } from '@platform/kernel';
import type { OAuthExtensionSpec } from '../model/extension-spec.ts';
import type { UpstreamEndpoints } from '../model/upstream-metadata.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** What the proxy itself adds to the request to the upstream. */
export interface UpstreamLeg {
  readonly callbackUrl: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Asked for when neither the app nor the extension names scopes and the provider speaks OpenID Connect. */
const DEFAULT_SCOPE = 'openid email profile';

/**
 * Where the browser goes to log in. A query that the endpoint has already is kept (RFC 6749, section 3.1), e.g. Google's
 * `access_type=offline`. PKCE S256 always, whatever the app does.
 */
export function upstreamAuthorizeUrl(
  endpoints: UpstreamEndpoints,
  spec: OAuthExtensionSpec,
  request: AuthorizeRequest,
  leg: UpstreamLeg,
): string {
  const url = new URL(endpoints.authorization);
  const scopes = upstreamScopes(endpoints, spec, request);
  // An OpenID provider without `openid` makes no ID token, and some refuse a nonce then.
  const withNonce = endpoints.metadata === null || scopes.includes('openid');
  const own: readonly [string, string][] = [
    ['response_type', 'code'],
    ['client_id', spec.client_id],
    ['redirect_uri', leg.callbackUrl],
    ['scope', scopes.join(' ')],
    ['state', leg.state],
    ['nonce', withNonce ? leg.nonce : ''],
    ['code_challenge', challengeOf(leg.verifier)],
    ['code_challenge_method', 'S256'],
  ];
  for (const [name, value] of [...request.forwarded, ...own]) {
    if (value !== '') url.searchParams.set(name, value);
  }
  return url.href;
}

function upstreamScopes(
  { metadata }: UpstreamEndpoints,
  spec: OAuthExtensionSpec,
  request: AuthorizeRequest,
): readonly string[] {
  const byDefault = metadata === null ? '' : DEFAULT_SCOPE;
  const named = request.scope ?? (spec.scopes?.join(' ') || byDefault);
  const scopes = named.split(' ').filter((scope) => scope !== '');
  // A request that is one of OpenID Connect by its nonce alone wants an ID token all the same.
  const lacksOpenId = request.mode === 'oidc' && metadata !== null && !scopes.includes('openid');
  return lacksOpenId ? ['openid', ...scopes] : scopes;
}
