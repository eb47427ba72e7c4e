import type { Clock } from '@platform/kernel';
import type { IdentityProvider, LoginPorts, UserCodeAttempts } from '@platform/login';
import { createIdentityProvider } from '@platform/oidc-client';
import { isTemplateOrigin } from '@platform/projects';
import {
  createAuthorizationCodeStore,
  createDeviceAuthorizationStore,
  createProjectOrigins,
  createUsedStates,
  createUserDirectory,
} from '@platform/store-postgres';
import { type BoundEndpoint, bind } from '../endpoint/descriptor.ts';
import { createRateLimiter } from '../process/rate-limiter.ts';
import { type LoginDeps, loginEndpoints } from '../routes/login/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SessionServices } from './sessions.ts';
import type { TokenServices } from './tokens.ts';

/** The ports of logins, with the configured identity provider. */
export function loginPorts(
  infrastructure: Infrastructure,
  { issuing }: TokenServices,
  sessions: SessionServices,
): LoginPorts {
  const { config, logging, store, sealer, clock, random, identifiers } = infrastructure;
  return {
    publicUrl: config.server.public_url,
    copiedClaims: copiedClaims(config),
    trustUnverifiedEmail: config.auth.trust_unverified_email,
    provider: identityProvider(infrastructure),
    users: createUserDirectory(store.database, identifiers),
    sessions: sessions.store,
    endedSessions: sessions.ended,
    sessionSeconds: config.server.jwt_expiry_seconds,
    usedStates: createUsedStates(store.database),
    codes: createAuthorizationCodeStore(store.database, 'login'),
    devices: createDeviceAuthorizationStore(store.database),
    userCodeAttempts: limitUserCodes(clock),
    origins: {
      ...createProjectOrigins(store.database),
      isTemplateOrigin: (origin) => isTemplateOrigin(config.server.project_url_template, origin),
    },
    tokens: issuing,
    sealer,
    clock,
    random,
    log: logging.logger,
  };
}

/** More codes than a user mistypes in a minute; a guess is right once in 10¹⁰ times. */
const userCodesPerMinute = 10;

/** The limit of one process on the codes of devices that each user tries. */
export function limitUserCodes(clock: Clock): UserCodeAttempts {
  const limiter = createRateLimiter({ clock, perMinute: userCodesPerMinute });
  return {
    take(uid) {
      const decision = limiter.take({ name: 'device', address: uid });
      return decision.allowed ? 0 : decision.retryAfterSeconds;
    },
  };
}

/** Login of people: the endpoints. */
export function wireLogin(
  { config }: Infrastructure,
  ports: LoginPorts,
  deps: Pick<LoginDeps, 'endSession' | 'bindingsOf' | 'accountExists'>,
): readonly BoundEndpoint[] {
  return bind(loginEndpoints, { ports, cookies: { secure: config.server.cookie_secure }, ...deps });
}

/** `server.jwt_claims`, and `groups` where a role depends on them. */
function copiedClaims({ server, auth }: Infrastructure['config']): readonly string[] {
  const entries = [...auth.operator_users, ...auth.admin_users];
  const byGroup = entries.some((entry) => typeof entry !== 'string' && 'group' in entry);
  return byGroup ? [...new Set([...server.jwt_claims, 'groups'])] : server.jwt_claims;
}

function identityProvider({ config, outbound, documents }: Infrastructure): IdentityProvider | null {
  const { issuer, client_id: clientId, client_secret: clientSecret, scopes } = config.auth;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return createIdentityProvider({ issuer, clientId, clientSecret, scopes, documents, outbound });
}
