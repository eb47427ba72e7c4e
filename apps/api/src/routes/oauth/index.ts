import type { ProxyPorts, RateLimiter } from '@platform/oauth-proxy';
import type { Route } from '../route.ts';
import { authorizeRoute } from './authorize.ts';
import { callbackRoute } from './callback.ts';
import { discoveryRoute, metadataRoute } from './discovery.ts';
import { jwksRoute } from './jwks.ts';
import { revokeRoute } from './revoke.ts';
import { tokenRoute } from './token.ts';
import { userinfoGetRoute, userinfoPostRoute } from './userinfo.ts';

/** What the proxy endpoints are made of. */
export interface OAuthParts {
  readonly ports: ProxyPorts;
  readonly limiter: RateLimiter;
  /** `server.body_limit_bytes`. */
  readonly bodyLimit: number;
}

/** The OAuth proxy: one issuer for each extension, below `/oidc/{project}/{extension}`. */
export function oauthRoutes(parts: OAuthParts): readonly Route[] {
  return [
    authorizeRoute,
    callbackRoute,
    tokenRoute,
    userinfoGetRoute,
    userinfoPostRoute,
    revokeRoute,
    discoveryRoute,
    metadataRoute,
    jwksRoute,
  ].flatMap((route) => route(parts));
}
