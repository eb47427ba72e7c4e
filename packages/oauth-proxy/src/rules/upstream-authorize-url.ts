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
 * `access_type=offline`. PKCE S256 always, whatever the app does (contract 5).
 */
export function upstreamAuthorizeUrl(
  endpoints: UpstreamEndpoints,
  spec: OAuthExtensionSpec,
  request: AuthorizeRequest,
  leg: UpstreamLeg,
): string {
  const url = new URL(endpoints.authorization);
  const scope = request.scope ?? spec.scopes?.join(' ') ?? (endpoints.metadata === null ? '' : DEFAULT_SCOPE);
  const own: [string, string][] = [
    ['response_type', 'code'],
    ['client_id', spec.client_id],
    ['redirect_uri', leg.callbackUrl],
    ...(scope === '' ? [] : [['scope', scope] as [string, string]]),
    ['state', leg.state],
    ['nonce', leg.nonce],
    ['code_challenge', challengeOf(leg.verifier)],
    ['code_challenge_method', 'S256'],
  ];
  for (const [name, value] of [...request.forwarded, ...own]) url.searchParams.set(name, value);
  return url.href;
}
