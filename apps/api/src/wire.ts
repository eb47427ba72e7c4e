import cluster from 'node:cluster';
import { AccessRulesCache } from '@platform/access';
import { type Config, softwareVersion } from '@platform/config';
import { bootstrapDefaultOrganization, createBootstrapRoles } from '@platform/resources';
import { type Logging, maskText, type Tracing } from '@platform/service-runtime';
import { migrate } from '@platform/store-postgres';
import { createApp } from './app.ts';
import type { AppDeps } from './deps.ts';
import { bind } from './endpoint/descriptor.ts';
import type { CookiePolicy } from './http/authorize.ts';
import { createMetrics } from './http/metrics.ts';
import { acrossWorkers } from './process/cluster-metrics.ts';
import { createMetricsServer } from './process/metrics-server.ts';
import { ServiceState } from './process/readiness.ts';
import type { Service } from './process/run.ts';
import { ingressEndpoints, ingressFamilies } from './routes/ingress/index.ts';
import { cookieName } from './routes/login/cookies.ts';
import { openAudit, storedAuditLog, wireAudit } from './wire/audit.ts';
import { type Infrastructure, openInfrastructure } from './wire/infrastructure.ts';
import { wireIngress } from './wire/ingress.ts';
import { recordKeys } from './wire/known-keys.ts';
import { clusterOf, limitsOf, tlsOf } from './wire/listeners.ts';
import { loginPorts, wireLogin } from './wire/login.ts';
import { wireOAuth } from './wire/oauth.ts';
import { ownBindings } from './wire/own-bindings.ts';
import { wireProjects } from './wire/projects.ts';
import { resourcePorts, wireResources } from './wire/resources.ts';
import { accountLookup, openSessions, sessionEnder, wireSessions } from './wire/sessions.ts';
import { createTicker } from './wire/ticker.ts';
import { wireTokens } from './wire/tokens.ts';

/** Puts one API process together: with `wire/`, the only place where use cases meet adapters. It opens no connection. */
export function wire(config: Config, logging: Logging, tracing: Tracing | null = null): Service {
  const services = createServices(config, logging, tracing);
  const { metrics, state } = services;
  const exported = cluster.isWorker ? acrossWorkers(metrics) : metrics;
  const metricsAddress = config.server.metrics_listen ?? null;
  return {
    app: createApp(appDeps(services, exported)),
    state,
    log: logging.logger,
    address: config.server.listen,
    limits: limitsOf(config.server),
    tls: tlsOf(config),
    metrics: createMetricsServer(metricsAddress, exported),
    prepare: () => prepare(services),
    close: () => close(services),
  };
}

/** The services that the areas of the API share, each after those that it needs. */
function createServices(config: Config, logging: Logging, tracing: Tracing | null) {
  // The load is read with each request of the metrics, when the store is there.
  const metrics = createMetrics(() => loadOf(infrastructure), softwareVersion, config.server.workers);
  const infrastructure = openInfrastructure(config, logging, metrics, tracing);
  const { store } = infrastructure;
  const audit = openAudit(infrastructure);
  const sessions = openSessions(infrastructure);
  return {
    config,
    logging,
    tracing,
    metrics,
    infrastructure,
    audit,
    sessions,
    ports: resourcePorts(infrastructure, storedAuditLog(logging.audit, audit)),
    tokens: wireTokens(infrastructure, sessions.ended),
    access: new AccessRulesCache(store.access),
    ticker: createTicker(infrastructure),
    state: new ServiceState(async () => {
      await store.ping();
      await sessions.ended.check();
    }),
  };
}

type Services = ReturnType<typeof createServices>;

function loadOf({ store, config }: Infrastructure) {
  const { active, waiting } = store.database.load;
  return { max: config.database.pool_max, busy: active, waiting };
}

/** The areas with their endpoints, and the settings of the pipeline around them. */
function appDeps(services: Services, metrics: Services['metrics']): AppDeps {
  const { config, logging, tracing, infrastructure, audit, sessions, ports, tokens, access, state } =
    services;
  const { server } = config;
  const cookie: CookiePolicy = {
    name: cookieName('platform_session', { secure: server.cookie_secure }),
    origin: new URL(server.public_url).origin,
  };
  const accountExists = accountLookup(infrastructure);
  const oauth = wireOAuth(infrastructure);
  const login = loginPorts(infrastructure, tokens, sessions);
  const visits = wireIngress(infrastructure, tokens, cookie, login);
  return {
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
    metrics,
    servesMetrics: server.metrics_listen === undefined,
    authenticator: tokens.authenticator,
    cookie,
    audit: audit.queue,
    log: logging.logger,
    accessLog: logging.isEnabled('debug') ? logging.logger : null,
    tracing: tracing === null ? null : { tracer: tracing, mask: maskText },
    isOpen: state.isOpen,
    stopping: state.stopSignal,
    trustedProxies: server.trusted_proxies,
    corsOrigins: server.cors_origins,
  };
}

/** Migrates the database, creates what must always be there, and starts the work in the background, in this order. */
async function prepare(services: Services): Promise<void> {
  const { config, logging, infrastructure, sessions, ports, tokens, ticker, state } = services;
  await migrate({ url: infrastructure.databaseUrl, logger: logging.logger, stopping: state.stopSignal });
  sessions.ended.start();
  await bootstrapDefaultOrganization(ports, {
    ...config.default_organization,
    controllerClassName: config.deployment_controller.controller_class_name ?? null,
  });
  await createBootstrapRoles(ports);
  await recordKeys(infrastructure, tokens);
  ticker.start();
}

/** Stops the work in the background, then closes the database, which it uses. */
async function close({ ticker, ports, sessions, audit, infrastructure, tracing }: Services): Promise<void> {
  await ticker.stop();
  await ports.schemas.close();
  await sessions.ended.close();
  await audit.queue.close();
  await Promise.all([infrastructure.store.close(), tracing?.close()]);
}
