import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessRulesCache } from '@platform/access';
import { Ticker } from '@platform/change-log';
import { type Config, softwareVersion } from '@platform/config';
import { monotonicClock, systemClock } from '@platform/kernel';
import {
  type AuditLog,
  bootstrapDefaultOrganization,
  createBootstrapRoles,
  DefinitionCatalog,
  type ResourcePorts,
} from '@platform/resources';
import { createSchemaValidator } from '@platform/schema-validation';
import { type Logging, maskText, type Tracing } from '@platform/service-runtime';
import { migrate } from '@platform/store-postgres';
import { createApp } from './app.ts';
import { bind } from './endpoint/descriptor.ts';
import type { CookiePolicy } from './http/authorize.ts';
import { createMetrics } from './http/metrics.ts';
import { acrossWorkers } from './process/cluster-metrics.ts';
import { createMetricsServer } from './process/metrics-server.ts';
import { createRateLimiter } from './process/rate-limiter.ts';
import { ServiceState } from './process/readiness.ts';
import type { Service } from './process/run.ts';
import { defaultTimeouts } from './process/server.ts';
import { ingressEndpoints, ingressFamilies } from './routes/ingress/index.ts';
import type { KubernetesCluster } from './routes/kubernetes/kubeconfig.ts';
import { cookieName } from './routes/login/cookies.ts';
import { openAudit, storedAuditLog, wireAudit } from './wire/audit.ts';
import { type Infrastructure, openInfrastructure } from './wire/infrastructure.ts';
import { wireIngress } from './wire/ingress.ts';
import { recordKeys } from './wire/known-keys.ts';
import { loginPorts, wireLogin } from './wire/login.ts';
import { wireOAuth } from './wire/oauth.ts';
import { ownBindings } from './wire/own-bindings.ts';
import { wireProjects } from './wire/projects.ts';
import { accountLookup, openSessions, sessionEnder, wireSessions } from './wire/sessions.ts';
import { wireTokens } from './wire/tokens.ts';
import { wireWatch } from './wire/watch.ts';

/** Refusals of anonymous callers that are recorded in a minute, for each address. */
const recordedRefusals = 10;

/** Puts one API process together: with `wire/`, the only place where use cases meet adapters. It opens no connection. */
export function wire(config: Config, logging: Logging, tracing: Tracing | null = null): Service {
  const { server, database, default_organization: organization } = config;
  const { logger } = logging;
  const metrics = createMetrics(
    () => ({
      max: database.pool_max,
      busy: store.database.load.active,
      waiting: store.database.load.waiting,
    }),
    softwareVersion,
  );
  const infrastructure = openInfrastructure(config, logging, metrics, tracing);
  const { store, databaseUrl } = infrastructure;
  const state = new ServiceState(async () => {
    await store.ping();
    await sessions.ended.check();
  });
  const stopping = new AbortController();
  let ticking: Promise<void> | undefined;
  const audit = openAudit(infrastructure);
  const ports = resourcePorts(infrastructure, storedAuditLog(logging.audit, audit));
  const sessions = openSessions(infrastructure);
  const tokens = wireTokens(infrastructure, sessions.ended);
  const cookie: CookiePolicy = {
    name: cookieName('platform_session', { secure: server.cookie_secure }),
    origin: new URL(server.public_url).origin,
  };
  const access = new AccessRulesCache(store.access);
  const accountExists = accountLookup(infrastructure);
  const oauth = wireOAuth(infrastructure);
  const login = loginPorts(infrastructure, tokens, sessions);
  const visits = wireIngress(infrastructure, tokens, cookie, login);
  const allMetrics = cluster.isWorker ? acrossWorkers(metrics) : metrics;
  const metricsListen = server.metrics_listen ?? null;
  const app = createApp({
    version: softwareVersion,
    resources: {
      ports,
      catalog: new DefinitionCatalog(store.definitions),
      access,
      watch: wireWatch(infrastructure, metrics, {
        ended: sessions.ended,
        accountExists,
        access,
        stopping: state.stopSignal,
      }),
      readingControllers: new Set(config.auth.controllers.filter(({ read }) => read).map(({ id }) => id)),
      roles: tokens.roles,
      accountExists,
      bodyLimitBytes: server.body_limit_bytes,
      anonymousRefusals: createRateLimiter({ clock: systemClock, perMinute: recordedRefusals }),
    },
    kubernetes: config.kubernetes.enabled ? clusterOf(config) : null,
    auth: tokens.auth,
    oauth,
    ingress: ingressFamilies(visits),
    areas: [
      ...wireLogin(infrastructure, login, {
        endSession: sessionEnder(infrastructure, tokens, sessions),
        bindingsOf: ownBindings(access),
        accountExists,
      }),
      ...wireAudit(audit),
      ...wireSessions(infrastructure, tokens, sessions, accountExists),
      ...bind(ingressEndpoints, visits),
      ...wireProjects(infrastructure, tokens, oauth.ports, audit.store),
    ],
    readiness: state,
    metrics: allMetrics,
    servesMetrics: metricsListen === null,
    authenticator: tokens.authenticator,
    cookie,
    audit: audit.queue,
    log: logger,
    accessLog: logging.isEnabled('debug') ? logger : null,
    tracing: tracing === null ? null : { tracer: tracing, mask: maskText },
    isOpen: state.isOpen,
    stopping: state.stopSignal,
    trustedProxies: server.trusted_proxies,
    corsOrigins: server.cors_origins,
  });
  return {
    app,
    state,
    log: logger,
    address: server.listen,
    limits: {
      ...defaultTimeouts,
      headers: server.headers_timeout_seconds * 1_000,
      request: server.request_timeout_seconds * 1_000,
      maxConnections: server.max_connections,
    },
    tls: tlsOf(config),
    metrics: createMetricsServer(metricsListen, allMetrics),
    async prepare() {
      await migrate({ url: databaseUrl, logger, stopping: state.stopSignal });
      sessions.ended.start();
      await bootstrapDefaultOrganization(ports, {
        ...organization,
        controllerClassName: config.deployment_controller.controller_class_name ?? null,
      });
      await createBootstrapRoles(ports);
      await recordKeys(infrastructure, tokens);
      ticking ??= tickerOn(infrastructure).run(stopping.signal);
    },
    async close() {
      stopping.abort();
      await ticking;
      await ports.schemas.close();
      await sessions.ended.close();
      await audit.queue.close();
      await Promise.all([store.close(), tracing?.close()]);
    },
  };
}

/** Where the API listens with TLS, when it has a certificate. */
function tlsOf({ server, origin }: Pick<Config, 'server' | 'origin'>): Service['tls'] {
  const { tls_listen: address, tls_certificate_pem: cert, tls_private_key_pem: key } = server;
  if (address === undefined || cert === undefined || key === undefined) return null;
  return { address, cert, key, isOptional: origin.development };
}

/** How clients of Kubernetes reach the API; they send credentials over TLS only. */
function clusterOf(config: Config): KubernetesCluster {
  const { server } = config;
  const { public_url: publicUrl, tls_authority_pem: authority = null } = server;
  const tls = tlsOf(config);
  if (publicUrl.startsWith('https:')) return { url: publicUrl, authority: null };
  if (tls === null) return { url: null, authority: null };
  const host = tls.address.host.includes(':') ? `[${tls.address.host}]` : tls.address.host;
  return { url: `https://${host}:${tls.address.port}`, authority };
}

/** Adds ticks to the change log while this process holds the lease. */
function tickerOn({ store, logging }: Infrastructure): Ticker {
  return new Ticker({
    ticks: store.ticks,
    lease: store.tickerLease,
    clock: monotonicClock,
    logger: logging.logger,
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
    holder: `${hostname()}/${process.pid}/${randomUUID()}`,
  });
}

function resourcePorts(
  { store, identifiers, sealer, config }: Infrastructure,
  audit: AuditLog,
): ResourcePorts {
  const { reader, history, removed, writer, transactions, plans } = store;
  const schemas = createSchemaValidator();
  return {
    reader,
    history,
    removed,
    writer,
    transactions,
    plans,
    sealer,
    schemas,
    audit,
    identifiers,
    controllerIds: config.auth.controllers.map(({ id }) => id),
    insecureOrigins: config.outbound.allow_insecure_origins,
    clock: systemClock,
  };
}
