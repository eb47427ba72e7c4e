export type * from './model/batch.ts';
export type { RunReport } from './model/run-report.ts';
export * from './ports/garbage-collector-store.ts';
export * from './ports/lease.ts';
export type { CollectorMetrics } from './ports/metrics.ts';
export type { WakeUp, WakeUps } from './ports/wake-ups.ts';
export { ownersOf } from './rules/cascade-in-batch.ts';
export { planBatch } from './rules/plan-batch.ts';
export { Collector, type CollectorPorts, type CollectorSettings } from './usecases/collector.ts';
