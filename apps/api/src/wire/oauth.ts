import { createIdTokenSigner } from '@platform/crypto';
import { createProviderDocuments, createUpstream } from '@platform/oidc-client';
import {
  createAuthorizationCodeStore,
  createExtensionDirectory,
  createSigningKeyStore,
} from '@platform/store-postgres';
import { createRateLimiter } from '../process/rate-limiter.ts';
import type { OAuthDeps } from '../routes/oauth/proxy-endpoint.ts';
import type { Infrastructure } from './infrastructure.ts';
import { measureIdTokens } from './measured.ts';

/** The limit of one caller for all extensions together, in multiples of its limit for one. */
const extensionsAtOnce = 4;

/** Puts the OAuth proxy together. */
export function wireOAuth(infrastructure: Infrastructure): OAuthDeps {
  const { config, logging, metrics, store, outbound, sealer, clock, random } = infrastructure;
  const signer = createIdTokenSigner({ store: createSigningKeyStore(store.database), sealer, clock });
  const insecureOrigins = config.outbound.allow_insecure_origins;
  // Attack: a member of a project makes extensions with a thousand providers, whose documents evict the keys of controllers, service accounts
  // and the login from a common cache. So those of extensions have one of their own.
  const documents = createProviderDocuments({ outbound, clock });
  return {
    ports: {
      publicUrl: config.server.public_url,
      extensions: createExtensionDirectory(store.database),
      states: createAuthorizationCodeStore(store.database, 'oauthStates'),
      codes: createAuthorizationCodeStore(store.database, 'oauthCodes'),
      upstream: createUpstream({ documents, outbound, clock, insecureOrigins }),
      signer: measureIdTokens(metrics, signer),
      sealer,
      clock,
      random,
      logger: logging.logger,
    },
    limiter: createRateLimiter({
      clock,
      perMinute: config.limits.oauth_requests_per_minute,
      namesAtOnce: extensionsAtOnce,
    }),
    cookies: { secure: config.server.cookie_secure },
  };
}
