export type {
  BatchItemDecision,
  BatchItemResult,
  BatchPlan,
  Blocker,
  DependentEdge,
  LockedRow,
  RowChange,
} from './model/batch.ts';
export type { RunReport } from './model/run-report.ts';
export type { CleanupTask } from './ports/cleanup-task.ts';
export type {
  Backlog,
  BatchOutcome,
  CascadeOutcome,
  GarbageCollectorStore,
  LockWait,
  PendingDependents,
  Tombstone,
  TombstonePosition,
  TombstoneRange,
} from './ports/garbage-collector-store.ts';
export { RowsRefused } from './ports/garbage-collector-store.ts';
export type {
  CollectorPause,
  Fence,
  Lease,
  LeaseAttempt,
  PauseCommand,
  PauseState,
} from './ports/lease.ts';
export { pauseCommands, runPauseCommand } from './ports/lease.ts';
export type { CollectorMetrics } from './ports/metrics.ts';
export type { WakeUp, WakeUps } from './ports/wake-ups.ts';
export { ownersOf } from './rules/cascade-in-batch.ts';
export { planBatch } from './rules/plan-batch.ts';
export { Collector, type CollectorPorts, type CollectorSettings } from './usecases/collector.ts';
