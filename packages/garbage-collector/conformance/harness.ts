import { noTracer, systemClock } from '@platform/kernel';
import type { AuditLog, Cascade } from '@platform/resources';
import {
  Collector,
  type CollectorMetrics,
  type CollectorPorts,
  type CollectorSettings,
  type Lease,
  type RunReport,
} from '../src/index.ts';
import type { GarbageCollectorStoreUnderTest } from './suite.ts';

/** A collector over a store, with everything that it reports. */
export interface CollectorHarness {
  readonly collector: Collector;
  /** One for each audit record. */
  readonly cascades: readonly Cascade[];
  readonly reports: readonly RunReport[];
  /** The delay after each failure, in seconds. */
  readonly failures: readonly number[];
  /** Steps until nothing is left to do at once. */
  drain(): Promise<void>;
}

/** The changes of a test to a collector. */
export interface HarnessOptions {
  readonly ports?: Partial<CollectorPorts>;
  readonly settings?: Partial<CollectorSettings>;
}

/** Puts a collector together that polls only when it is new, so that everything else it does has a reason. */
export function harness(
  store: GarbageCollectorStoreUnderTest,
  options: HarnessOptions = {},
): CollectorHarness {
  const cascades: Cascade[] = [];
  const reports: RunReport[] = [];
  const failures: number[] = [];
  const ports: CollectorPorts = {
    store: store.garbageCollector,
    lease: store.collectorLease,
    audit: recording(cascades),
    metrics: {
      ...silentMetrics,
      ran: (report) => reports.push(report),
      failed: (delaySeconds) => failures.push(delaySeconds),
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    tracer: noTracer,
    clock: systemClock,
    random: { bytes: (length) => new Uint8Array(length) },
    ...options.ports,
  };
  const collector = new Collector(ports, {
    holder: 'the suite',
    pollIntervalMs: 600_000,
    batchSize: 200,
    leaseSeconds: 3_600,
    ...options.settings,
  });
  return {
    collector,
    cascades,
    reports,
    failures,
    async drain() {
      while ((await collector.step()) === 0);
    },
  };
}

/** A lease that whoever asks is told to hold, under one fence of the real lease: several lead at once. */
export function sharedLease(fence: { readonly holder: string; readonly token: number }): Lease {
  return {
    acquire: async () => ({ held: true, fence, paused: false }),
    release: async () => {},
  };
}

function recording(cascades: Cascade[]): AuditLog {
  return { record() {}, cascaded: (records) => void cascades.push(...records) };
}

const silentMetrics: CollectorMetrics = {
  role() {},
  ran() {},
  failed() {},
  recovered() {},
  backlog() {},
};
