import cluster from 'node:cluster';
import { AccessRulesCache } from '@platform/access';
import { Ticker } from '@platform/change-log';
import { type Config, softwareVersion } from '@platform/config';
import { monotonicClock } from '@platform/kernel';
import { bootstrapDefaultOrganization, createBootstrapRoles } from '@platform/resources';
import { type Logging, maskText, pause, processName, type Tracing } from '@platform/service-runtime';
import { migrate } from '@platform/store-postgres';
import { createApp } from './app.ts';
import { bind } from './endpoint/descriptor.ts';
import type { CookiePolicy } from './http/authorize.ts';
import { createMetrics } from './http/metrics.ts';
import { acrossWorkers } from './process/cluster-metrics.ts';
import { createMetricsServer } from './process/metrics-server.ts';
import { ServiceState } from './process/readiness.ts';
import type { Service } from './process/run.ts';
import { defaultTimeouts } from './process/server.ts';
import { ingressEndpoints, ingressFamilies } from './routes/ingress/index.ts';
import { cookieName } from './routes/login/cookies.ts';
import { openAudit, storedAuditLog, wireAudit } from './wire/audit.ts';
import { type Infrastructure, openInfrastructure } from './wire/infrastructure.ts';
import { wireIngress } from './wire/ingress.ts';
import { recordKeys } from './wire/known-keys.ts';
import { clusterOf, tlsOf } from './wire/listeners.ts';
import { loginPorts, wireLogin } from './wire/login.ts';
import { wireOAuth } from './wire/oauth.ts';
import { ownBindings } from './wire/own-bindings.ts';
import { wireProjects } from './wire/projects.ts';
import { resourcePorts, wireResources } from './wire/resources.ts';
import { accountLookup, openSessions, sessionEnder, wireSessions } from './wire/sessions.ts';
import { wireTokens } from './wire/tokens.ts';

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
    server.workers,
  );
  const infrastructure = openInfrastructure(config, logging, metrics, tracing);
  const { store, databaseUrl } = infrastructure;
  const state = new ServiceState(async () => {
    await store.ping();
    await sessions.ended.check();
  });
  const ticker = tickerOn(infrastructure);
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
    resources: wireResources(infrastructure, ports, {
      ended: sessions.ended,
      roles: tokens.roles,
      accountExists,
      access,
      stopping: state.stopSignal,
    }),
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
      ticker.start();
    },
    async close() {
      await ticker.stop();
      await ports.schemas.close();
      await sessions.ended.close();
      await audit.queue.close();
      await Promise.all([store.close(), tracing?.close()]);
    },
  };
}

/** Adds ticks to the change log while this process holds the lease, from `start` to `stop`. */
function tickerOn({ store, logging }: Infrastructure) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const ticker = new Ticker({
    ticks: store.ticks,
    lease: store.tickerLease,
    clock: monotonicClock,
    logger: logging.logger,
    sleep: pause,
    holder: processName(),
  });
  return {
    start() {
      running ??= ticker.run(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
