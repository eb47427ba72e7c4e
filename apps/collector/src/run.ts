import type { SubscriptionDelivery, Ticker } from '@platform/change-log';
import type { Collector, WakeUp, WakeUps } from '@platform/garbage-collector';
import { type Logger, outageReason } from '@platform/kernel';
import {
  onStopRequest,
  releaseMemory,
  releaseMemoryAfterLoad,
  startFailure,
} from '@platform/service-runtime';
import { type Endpoint, type MetricsText, openEndpoint } from './endpoint.ts';
import type { ExpiryCleaner } from './expiry-cleaner.ts';
import { runDelivery, runLoop } from './loop.ts';
import { untilMigrated } from './until-migrated.ts';

/** One wired collector process. */
export interface CollectorProcess {
  readonly collector: Collector;
  readonly cleaner: Pick<ExpiryCleaner, 'step'>;
  readonly wakeUps: WakeUps;
  readonly ticker: Pick<Ticker, 'run'>;
  readonly subscriptions: Pick<SubscriptionDelivery, 'step' | 'stop'>;
  readonly database: { ping(): Promise<void>; migrationsApplied(): Promise<boolean> };
  readonly log: Logger;
  /** Where probes and metrics are served; null when nowhere. */
  readonly listen: { readonly host: string; readonly port: number } | null;
  readonly metrics: MetricsText;
  /** Closes the pool. */
  close(): Promise<void>;
}

/** Runs until the process is asked to stop. Resolves with its exit code. */
export async function runCollector(parts: CollectorProcess): Promise<number> {
  const { collector, cleaner, subscriptions, ticker, wakeUps, database, log } = parts;
  const stopping = new AbortController();
  onStopRequest((reason) => {
    log.info('stopping', { reason });
    stopping.abort();
    collector.stop();
  });
  let endpoint: Endpoint | null = null;
  let migrated = false;
  try {
    endpoint = await openEndpoint(parts, async () => {
      if (stopping.signal.aborted) return 'the collector is stopping';
      if (!migrated) return 'the database is not migrated yet';
      return await database.ping().then(() => null, outageReason);
    });
    await untilMigrated(database, log, stopping.signal);
    migrated = true;
    await releaseMemory();
    releaseMemoryAfterLoad(stopping.signal);
    if (!stopping.signal.aborted) log.info('ready', endpoint?.address);
    const delivering = runDelivery(subscriptions, stopping.signal);
    const loop = {
      step: async () => Math.min(await collector.step(), await cleaner.step()),
      wake: (wakeUp: WakeUp) => collector.wake(wakeUp),
      // The progress of deliveries is stored under the lease.
      close: () => delivering.then(() => collector.close()),
    };
    await Promise.all([runLoop(loop, wakeUps, stopping.signal), ticker.run(stopping.signal), delivering]);
    return 0;
  } catch (error) {
    log.error('the collector could not run', startFailure(error));
    return 1;
  } finally {
    await endpoint?.close();
    await parts.close();
  }
}
