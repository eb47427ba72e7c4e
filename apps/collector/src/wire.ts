import { Ticker } from '@platform/change-log';
import { type Config, softwareVersion } from '@platform/config';
import { createSealer, nodeRandomBytes } from '@platform/crypto';
import { Collector } from '@platform/garbage-collector';
import { monotonicClock, noTracer } from '@platform/kernel';
import { reseal } from '@platform/key-rotation';
import { type Logging, pause, processName, type Tracing } from '@platform/service-runtime';
import { createSealedValueStore, fsck, fsckReport, openStore, type Store } from '@platform/store-postgres';
import { ExpiryCleaner } from './expiry-cleaner.ts';
import { createMetrics } from './metrics.ts';
import type { CollectorProcess } from './run.ts';
import type { Fsck } from './run-fsck.ts';
import { cleanupTasksOn } from './wire/cleanup-tasks.ts';
import { observedStore } from './wire/observed-store.ts';
import { wireSubscriptions } from './wire/subscriptions.ts';

/** Runs, readiness probes and cleanup tasks never need more at once; wake-ups have a connection of their own. */
const connections = 4;

/** Nobody waits for its statements, which may be as large as a batch of the widest parents. */
const timeoutMs = 30_500;

/** Puts one collector process together, the only place where the use case meets adapters. It contacts nothing yet. */
export function wire(config: Config, logging: Logging, tracing: Tracing | null = null): CollectorProcess {
  const { database, collector: settings } = config;
  if (database.url === undefined) throw new Error('database.url is not set');
  const { logger, audit } = logging;
  const store = openStore({
    url: database.url,
    poolMax: Math.min(connections, database.pool_max),
    applicationName: 'platform-collector',
    readTimeoutMs: timeoutMs,
    writeTimeoutMs: timeoutMs,
    logger,
  });
  const { metrics, deliveries, observeBatch, reportCleanup, render, contentType } =
    createMetrics(softwareVersion);
  const [tracer, clock] = [tracing ?? noTracer, monotonicClock];
  const holder = processName();
  const collector = new Collector(
    {
      store: observedStore(store.garbageCollector, { tracer, clock, observeBatch }),
      lease: store.collectorLease,
      audit,
      metrics,
      logger,
      tracer,
      clock,
      random: nodeRandomBytes,
    },
    {
      holder,
      pollIntervalMs: settings.poll_interval_ms,
      batchSize: settings.batch_size,
      leaseSeconds: settings.lease_seconds,
    },
  );
  return {
    collector,
    cleaner: new ExpiryCleaner(cleanupTasksOn(store, config), () => collector.active, {
      clock,
      logger,
      report: reportCleanup,
    }),
    subscriptions: wireSubscriptions(config, {
      store,
      logger,
      metrics: deliveries,
      fence: () => collector.fence,
    }),
    ticker: new Ticker({
      ticks: store.ticks,
      lease: store.tickerLease,
      clock,
      logger,
      sleep: pause,
      holder,
    }),
    wakeUps: store.collectorWakeUps,
    database: store,
    log: logger,
    listen: settings.listen ?? null,
    metrics: { render, contentType },
    async close() {
      await Promise.all([store.close(), tracing?.close()]);
    },
  };
}

/** The check of the configured database. */
export function wireFsck({ database: { url } }: Config): Fsck {
  if (url === undefined) throw new Error('database.url is not set');
  return async (options) => {
    const findings = await fsck({ url, ...options });
    return { findings, report: fsckReport(findings) };
  };
}

/** Pauses and resumes the collectors of the configured database; `close` ends its connection. */
export function wireSwitch({ database: { url } }: Config): Pick<Store, 'collectorPause' | 'close'> {
  if (url === undefined) throw new Error('database.url is not set');
  return openStore({ url, poolMax: 1, applicationName: 'platform-switch' });
}

/** Seals what is in the configured database with the first encryption key; `close` ends its connection. */
export function wireReseal({ database: { url }, encryption }: Config) {
  if (url === undefined) throw new Error('database.url is not set');
  const { database, close } = openStore({ url, poolMax: 1, applicationName: 'platform-reseal' });
  const deps = { store: createSealedValueStore(database), keyRing: createSealer(encryption.keys) };
  return { reseal: (options: { readonly dryRun: boolean }) => reseal(deps, options), close };
}
