import type { Route } from '../route.ts';
import { authorizeRoute } from './authorize.ts';
import { callbackRoute } from './callback.ts';
import { discoveryRoute, metadataRoute } from './discovery.ts';
import { jwksRoute } from './jwks.ts';
import type { OAuthParts } from './proxy-route.ts';
import { revokeRoute } from './revoke.ts';
import { tokenRoute } from './token.ts';
import { userinfoGetRoute, userinfoPostRoute } from './userinfo.ts';

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
