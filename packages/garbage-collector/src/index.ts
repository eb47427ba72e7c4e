export type { BatchPlan, Blocker, DependentEdge, LockedRow, RowChange } from './model/batch.ts';
export type { RunReport } from './model/run-report.ts';
export {
  type Backlog,
  type Fenced,
  type GarbageCollectorStore,
  type LockWait,
  type MarkedDependents,
  type PendingDependents,
  RowsRefused,
  type Tombstone,
  type TombstonePosition,
  type TombstoneRange,
} from './ports/garbage-collector-store.ts';
export {
  type CollectorPause,
  type Fence,
  type Lease,
  type LeaseAttempt,
  pauseCommands,
  runPauseCommand,
} from './ports/lease.ts';
export type { CollectorMetrics } from './ports/metrics.ts';
export type { WakeUp, WakeUps } from './ports/wake-ups.ts';
export { ownersOf } from './rules/cascade-in-batch.ts';
export { planBatch } from './rules/plan-batch.ts';
export { Collector, type CollectorPorts, type CollectorSettings } from './usecases/collector.ts';
