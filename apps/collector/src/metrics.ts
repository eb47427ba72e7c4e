import type { DeliveryMetrics } from '@platform/change-log';
import type { CollectorMetrics } from '@platform/garbage-collector';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { deliveryMetrics } from './delivery-metrics.ts';
import type { MetricsText } from './endpoint.ts';
import type { ReportCleanup } from './expiry-cleaner.ts';
import type { ObserveBatch } from './wire/observed-store.ts';

const runBuckets = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];
const batchBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const rowBuckets = [1, 5, 10, 25, 50, 100, 200, 500, 1_000, 5_000];

/** The collector's metrics in Prometheus form. */
export function createMetrics(version: string): MetricsText & {
  readonly metrics: CollectorMetrics;
  readonly deliveries: DeliveryMetrics;
  readonly observeBatch: ObserveBatch;
  readonly reportCleanup: ReportCleanup;
} {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'platform_build_info',
    help: 'Always 1: the version that runs.',
    labelNames: ['service', 'version', 'node'],
    registers,
  }).set({ service: 'collector', version, node: process.version }, 1);
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `platform_collector_${name}`, help, registers });
  const counter = (name: string, help: string) =>
    new Counter({ name: `platform_collector_${name}`, help, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `platform_collector_${name}`, help, buckets, registers });

  const leader = gauge('leader', 'Whether this process leads: 1 or 0.');
  const paused = gauge('paused', 'Whether this process leads and is paused: 1 or 0.');
  const runs = histogram('run_duration_seconds', 'Runs by how long they took.', runBuckets);
  const batches = histogram('batch_duration_seconds', 'Transactions by how long they took.', batchBuckets);
  const batchRows = histogram('batch_rows', 'Transactions by the rows they locked.', rowBuckets);
  const removed = counter('rows_removed_total', 'Resources removed.');
  const tombstoned = counter('rows_tombstoned_total', 'Dependents newly tombstoned.');
  const refused = counter('rows_refused_total', 'Resources that the database refused to write.');
  const stuck = gauge(
    'stuck_rows',
    'Tombstones that are blocked, held by a finalizer, or waiting for a retry.',
  );
  const tombstones = gauge('backlog_rows', 'Tombstones left, counted up to 100,000.');
  const oldest = gauge(
    'oldest_tombstone_timestamp_seconds',
    'When the oldest tombstone left was made; 0: none is left.',
  );
  const failures = counter('failures_total', 'Runs and attempts to acquire the lease that failed.');
  const backOff = gauge('back_off_seconds', 'The current wait after failures; 0: the last run succeeded.');
  const deletedExpired = new Counter({
    name: 'platform_collector_expired_rows_deleted_total',
    help: 'Expired rows deleted, by task.',
    labelNames: ['task'],
    registers,
  });
  const cleanupFailures = new Counter({
    name: 'platform_collector_cleanup_failures_total',
    help: 'Failed runs of cleanup tasks, by task.',
    labelNames: ['task'],
    registers,
  });
  return {
    deliveries: deliveryMetrics(registry),
    contentType: registry.contentType,
    render: () => registry.metrics(),
    metrics: {
      role(role) {
        leader.set(role.leads ? 1 : 0);
        paused.set(role.paused ? 1 : 0);
        // The new leader reports them: the last values of its predecessor would raise alarms without end.
        if (!role.leads) for (const known of [stuck, tombstones, oldest]) known.set(0);
      },
      recovered: () => backOff.set(0),
      ran(report) {
        runs.observe(report.durationMs / 1_000);
        removed.inc(report.removed);
        tombstoned.inc(report.tombstoned);
        refused.inc(report.refused);
        stuck.set(report.stuck);
        backOff.set(0);
      },
      failed(delaySeconds) {
        failures.inc();
        backOff.set(delaySeconds);
      },
      backlog(left) {
        tombstones.set(left.tombstones);
        oldest.set((left.oldest ?? 0) / 1_000);
      },
    },
    observeBatch(rows, seconds) {
      batches.observe(seconds);
      batchRows.observe(rows);
    },
    reportCleanup(task, rows) {
      if (rows === null) cleanupFailures.inc({ task });
      else deletedExpired.inc({ task }, rows);
    },
  };
}
