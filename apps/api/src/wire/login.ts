import { createIdentityProvider } from '@platform/idp-openid-client';
import type { IdentityProvider } from '@platform/login';
import { createOneTimeStore, createProjectOrigins, createUserDirectory } from '@platform/store-postgres';
import { loginRoutes } from '../routes/login/index.ts';
import type { Route } from '../routes/route.ts';
import type { Foundations } from './foundations.ts';
import type { TokenParts } from './tokens.ts';

/** Login of people: the endpoints, behind the configured identity provider. */
export function wireLogin(foundations: Foundations, { issuing }: TokenParts): readonly Route[] {
  const { config, logging, store, sealer, clock, random, identifiers } = foundations;
  const { server } = config;
  return loginRoutes({
    ports: {
      publicUrl: server.public_url,
      copiedClaims: server.jwt_claims,
      provider: identityProvider(foundations),
      users: createUserDirectory(store.database, identifiers),
      once: createOneTimeStore(store.database),
      origins: createProjectOrigins(store.database),
      tokens: issuing,
      sealer,
      clock,
      random,
      log: logging.logger,
    },
    cookies: { secure: server.cookie_secure },
    bodyLimit: server.body_limit_bytes,
  });
}

function identityProvider({ config, outbound, clock }: Foundations): IdentityProvider | null {
  const { issuer, client_id: clientId, client_secret: clientSecret, scopes } = config.auth;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return createIdentityProvider({ issuer, clientId, clientSecret, scopes, outbound, clock });
}
