import cluster from 'node:cluster';
import type { Config } from '@platform/config';
import { createIdTokenSigner } from '@platform/id-token-signer-jose';
import { createIdentifiers, nodeRandomBytes } from '@platform/identifiers-node';
import { type Outbound, systemClock } from '@platform/kernel';
import { createJwksKeys } from '@platform/keys-jwks-rsa';
import { createLogger, type Logging } from '@platform/logger-winston';
import type { ExtensionDirectory } from '@platform/oauth-proxy';
import { createOutbound } from '@platform/outbound-http';
import { createRateLimiter } from '@platform/rate-limiter-memory';
import { bootstrapDefaultOrganization, DefinitionCatalog, type ResourcePorts } from '@platform/resources';
import { createSchemaValidator } from '@platform/schema-ajv';
import { createSealer } from '@platform/secrets-aes';
import {
  createJsonWebTokens,
  createRsaKeyRing,
  fingerprint,
  readSigningSecret,
} from '@platform/signer-jsonwebtoken';
import {
  createFlowStore,
  createSigningKeyStore,
  migrate,
  openStore,
  type Store,
} from '@platform/store-postgres';
import {
  createAuthenticator,
  createControllerDirectory,
  createRoles,
  createTokenIssuer,
  createTrustedIssuers,
  exchangeToken,
  type ServiceAccountDirectory,
} from '@platform/tokens';
import { createUpstream } from '@platform/upstream-oauth';
import { createApp } from './app.ts';
import { createMetrics } from './http/metrics.ts';
import { acrossWorkers } from './process/cluster-metrics.ts';
import { ServiceState } from './process/readiness.ts';
import type { Service } from './process/run.ts';
import type { OAuthParts } from './routes/oauth/index.ts';

/** The log of the process; also that of a primary that only looks after its workers. */
export function wireLog(config: Config): Logging {
  return createLogger({ level: config.log.level, format: config.log.format, service: 'api' });
}

/** Puts one API process together. The only place where use cases meet adapters; nothing is contacted yet. */
export function wire(config: Config, logging: Logging): Service {
  const { server, database, default_organization: organization } = config;
  const { logger } = logging;
  if (database.url === undefined) throw new Error('database.url is not set');
  const url = database.url;
  const store = openStore({ url, poolMax: database.pool_max, applicationName: 'platform-api', logger });
  const state = new ServiceState(() => store.ping());
  const ports = resourcePorts(store, logging);
  const metrics = createMetrics(() => ({
    max: database.pool_max,
    busy: store.database.load.active,
    waiting: store.database.load.waiting,
  }));
  const outbound = createOutbound({
    allowInsecureOrigins: config.outbound.allow_insecure_origins,
    platformUrl: server.public_url,
    timeoutMs: config.outbound.timeout_ms,
  });
  const { authenticator, auth } = tokens(config, logging, outbound);
  const app = createApp({
    resources: {
      ports,
      catalog: new DefinitionCatalog(store.definitions),
      controllerIds: config.auth.controllers.map(({ id }) => id),
      bodyLimitBytes: server.body_limit_bytes,
    },
    auth,
    oauth: oauthProxy(config, store, logging, outbound),
    readiness: state,
    metrics: cluster.isWorker ? acrossWorkers(metrics) : metrics,
    authenticator,
    cookie: {
      name: server.cookie_secure ? '__Host-platform_session' : 'platform_session',
      origin: new URL(server.public_url).origin,
    },
    log: logger,
    accessLog: logging.isEnabled('debug') ? logger : null,
    isOpen: state.isOpen,
    trustedProxies: server.trusted_proxies,
  });
  return {
    app,
    state,
    log: logger,
    address: server.listen,
    async prepare() {
      await migrate({ url, logger });
      await bootstrapDefaultOrganization(ports, {
        ...organization,
        controllerClassName: config.deployment_controller.controller_class_name ?? null,
      });
    },
    async close() {
      await ports.schemas.close();
      await store.close();
    },
  };
}

function resourcePorts(store: Store, logging: Logging): ResourcePorts {
  const { reader, writer, transactions } = store;
  return {
    reader,
    writer,
    transactions,
    schemas: createSchemaValidator(),
    audit: logging.audit,
    identifiers: createIdentifiers(nodeRandomBytes, systemClock),
  };
}

/** Who callers are, and the endpoints around tokens. */
function tokens(config: Config, logging: Logging, outbound: Outbound) {
  const { server } = config;
  const issuer = server.public_url;
  const clock = systemClock;
  const ring = createRsaKeyRing({
    privateKeyPem: server.rs256_private_key_pem,
    publicKeyPem: server.rs256_public_key_pem,
    retiredPublicKeysPem: server.rs256_retired_public_keys_pem,
  });
  const signatures = createJsonWebTokens({ secret: readSigningSecret(server.jwt_signing_secret), ring });
  const controllers = createControllerDirectory(config.auth.controllers);
  const serviceAccounts = noServiceAccounts;
  const externalKeys = createJwksKeys({
    outbound,
    clock,
    logger: logging.logger,
    trustedIssuers: createTrustedIssuers({ issuer, controllers, serviceAccounts }),
  });
  const deprecation = logging.target('platform::deprecation');
  const identities = { issuer, externalKeys, signatures, clock, controllers, serviceAccounts };
  const authenticator = createAuthenticator({
    ...identities,
    roles: createRoles(config.auth.operator_users, config.auth.admin_users),
    allowRawExternalTokens: config.auth.allow_raw_external_tokens,
    onRawExternalToken: (event) =>
      deprecation.info('raw_external_token', { metric: 'raw_external_token', ...event }),
    fingerprint,
  });
  const issuing = createTokenIssuer({
    issuer,
    lifetimes: lifetimesOf(config),
    signer: signatures,
    clock,
    random: nodeRandomBytes,
  });
  const auth = {
    publicUrl: issuer,
    jwks: ring.jwks,
    exchange: (parameters: Parameters<typeof exchangeToken>[1]) =>
      exchangeToken({ ...identities, tokens: issuing }, parameters),
    bodyLimit: server.body_limit_bytes,
  };
  return { authenticator, auth };
}

/** The OAuth proxy. */
function oauthProxy(
  config: Config,
  { database }: Store,
  { logger }: Logging,
  outbound: Outbound,
): OAuthParts {
  const clock = systemClock;
  const sealer = createSealer(config.encryption.keys);
  const insecureOrigins = config.outbound.allow_insecure_origins;
  return {
    ports: {
      publicUrl: config.server.public_url,
      extensions: noExtensions,
      flows: createFlowStore(database),
      upstream: createUpstream({ outbound, clock, insecureOrigins }),
      signer: createIdTokenSigner({ store: createSigningKeyStore(database), sealer, clock }),
      sealer,
      clock,
      random: nodeRandomBytes,
      logger,
    },
    limiter: createRateLimiter({ clock, perMinute: config.limits.oauth_requests_per_minute }),
    bodyLimit: config.server.body_limit_bytes,
  };
}

/** Seconds. */
function lifetimesOf({ server, deployment_controller: controller }: Config) {
  return {
    session: server.jwt_expiry_seconds,
    access: server.auth_token_max_ttl_seconds,
    ingress: server.ingress_token_ttl_seconds,
    workload: controller.identity_token_ttl_seconds,
    id: server.jwt_expiry_seconds,
  };
}

/** There are no projects yet, so nobody is a service account. */
const noServiceAccounts: ServiceAccountDirectory = {
  findByEmail: async () => undefined,
  listByIssuer: async () => [],
  hasIssuer: async () => false,
};

/** There are no projects yet, so there are no extensions. */
const noExtensions: ExtensionDirectory = { find: async () => null };
