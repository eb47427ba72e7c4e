import { setTimeout as sleep } from 'node:timers/promises';
import { AccessRulesCache } from '@platform/access';
import {
  accessAffectedBy,
  createApiServer,
  createApp,
  createMetrics,
  createRateLimiter,
  defaultTimeouts,
  streamTimers,
} from '@platform/api/parts';
import { Watches } from '@platform/change-log';
import { createIdentifiers, createSealer, nodeRandomBytes } from '@platform/crypto';
import { Collector, type CollectorMetrics } from '@platform/garbage-collector';
import { type Logger, monotonicClock, noTracer, OAuthError, Problem, systemClock } from '@platform/kernel';
import { type AuditLog, bootstrapDefaultOrganization, DefinitionCatalog } from '@platform/resources';
import { createSchemaValidator } from '@platform/schema-validation';
import { createWatchedStore, type WatchedMemoryStore } from '@platform/store-memory';
import type { Authenticator, Principal } from '@platform/tokens';

/** The token of the operator, and the beginning of those of controllers, which their id follows. */
export const operatorToken = 'operator';
export const controllerToken = (id: string) => `controller.${id}`;

const bodyLimitBytes = 1_048_576;
const perCaller = 100;
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const noAudit: AuditLog = { record() {}, cascaded() {} };

/** Puts a platform together: the resource API and the garbage collector on the memory store. */
export function wire(url: string, controllerIds: readonly string[]) {
  const store = createWatchedStore({ clock: systemClock });
  const { reader, history, removed, writer, transactions, plans, definitions, feed } = store;
  const schemas = createSchemaValidator();
  const ports = {
    reader,
    history,
    removed,
    writer,
    transactions,
    plans,
    schemas,
    controllerIds,
    sealer: createSealer([{ id: 'test', key: Buffer.alloc(32).toString('base64') }]),
    audit: noAudit,
    identifiers: createIdentifiers(nodeRandomBytes, systemClock),
    clock: systemClock,
  };
  const access = new AccessRulesCache(store.access);
  const watches = new Watches({
    feed,
    timers: streamTimers,
    logger: silent,
    clock: systemClock,
    affects: accessAffectedBy(access),
    limits: { perProcess: perCaller, perCaller },
    metrics: { sent() {}, delay() {} },
  });
  const app = createApp({
    version: '0.0.0-test',
    resources: {
      ports,
      bodyLimitBytes,
      catalog: new DefinitionCatalog(definitions),
      access,
      readingControllers: new Set(controllerIds),
      roles: { isOperator: () => false },
      accountExists: async () => true,
      anonymousRefusals: createRateLimiter({ clock: systemClock, perMinute: 10 }),
      watch: {
        watches,
        feed,
        state: feed,
        timers: streamTimers,
        clock: systemClock,
        stalledMs: 60_000,
        onSessionEnd: () => () => undefined,
      },
    },
    kubernetes: null,
    auth: {
      publicUrl: url,
      jwks: { keys: [] },
      exchange: async () => {
        throw new OAuthError('invalid_grant', 'A platform for tests exchanges no tokens');
      },
      limits: { bodyLimit: bodyLimitBytes, take: () => undefined },
    },
    areas: [],
    readiness: { reasons: async () => [] },
    metrics: createMetrics(null, '0.0.0-test'),
    servesMetrics: true,
    authenticator: authenticatorOf(controllerIds),
    cookie: { name: 'platform_session', origin: url },
    log: silent,
    accessLog: null,
    tracing: null,
    isOpen: () => true,
    trustedProxies: [],
    corsOrigins: [],
  });
  const collecting = collect(store);
  return {
    server: createApiServer(app, defaultTimeouts),
    prepare: () =>
      bootstrapDefaultOrganization(ports, {
        name: 'default',
        labels: {},
        annotations: {},
        spec: {},
        controllerClassName: null,
      }),
    async close() {
      watches.stop();
      await collecting.close();
      await schemas.close();
    },
  };
}

/** Runs the garbage collector until it is closed. */
function collect(store: WatchedMemoryStore): { close(): Promise<void> } {
  const collector = new Collector(
    {
      store: store.garbageCollector,
      lease: store.collectorLease,
      audit: noAudit,
      tracer: noTracer,
      metrics: noMetrics,
      logger: silent,
      clock: monotonicClock,
      random: nodeRandomBytes,
    },
    { holder: 'test', pollIntervalMs: 60_000, batchSize: 200, leaseSeconds: 3_600 },
  );
  const stopping = new AbortController();
  let woken = new AbortController();
  const run = async () => {
    const listening = await store.collectorWakeUps.listen((wakeUp) => {
      collector.wake(wakeUp);
      woken.abort();
    });
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      const pauseMs = await collector.step();
      if (stopping.signal.aborted) break;
      await sleep(pauseMs, undefined, { signal: woken.signal, ref: false }).catch(() => undefined);
    }
    await listening.close();
  };
  const running = run();
  return {
    async close() {
      collector.stop();
      stopping.abort();
      woken.abort();
      await running;
    },
  };
}

const noMetrics: CollectorMetrics = {
  role() {},
  ran() {},
  failed() {},
  recovered() {},
  backlog() {},
};

/** Knows the operator and the controllers by tokens that say who they are. */
function authenticatorOf(controllerIds: readonly string[]): Authenticator {
  const operator: Principal = {
    type: 'operator',
    uid: 'operator',
    email: 'operator@platform.test',
    admin: true,
  };
  const principals = new Map<string, Principal>([
    [operatorToken, operator],
    ...controllerIds.map((id): [string, Principal] => [controllerToken(id), { type: 'controller', id }]),
  ]);
  const bearer = async (token: string) => {
    const principal = principals.get(token);
    if (principal === undefined)
      throw new Problem('unauthenticated', 'The credentials are missing, invalid or expired.');
    return principal;
  };
  return { bearer, session: async () => operator };
}
