export type {
  Backlog,
  BatchOutcome,
  CollectionStore,
  Patience,
  Tombstone,
  TombstonePosition,
  TombstoneRange,
} from './collection-store.ts';
export { RowsRefused } from './collection-store.ts';
export type { HousekeepingTask } from './housekeeping.ts';
export type { CollectorSwitch, Fence, Lease, LeaseAttempt, SwitchState } from './lease.ts';
export type { CollectorMetrics } from './sweep-metrics.ts';
export type { WakeUp, WakeUps } from './wake-ups.ts';
