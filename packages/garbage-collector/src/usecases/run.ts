import type { Clock, Logger, RandomBytes, Tracer } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import type { RunCounts, RunOutcome } from '../model/run-report.ts';
import type { GarbageCollectorStore } from '../ports/garbage-collector-store.ts';
import type { Fence } from '../ports/lease.ts';
import type { BlockedOwnersCache } from './blocked-owners-cache.ts';
import type { RetryQueue } from './retry-queue.ts';
import type { WorkQueue } from './work-queue.ts';

/** The ports of a run. `clock` measures intervals only and must never go back. */
export interface RunPorts {
  readonly store: GarbageCollectorStore;
  readonly audit: AuditLog;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Shared by the parts of a run: the ports, and the state that outlives it. */
export interface RunDeps extends RunPorts {
  readonly blocked: BlockedOwnersCache;
  readonly retries: RetryQueue;
  readonly queue: WorkQueue;
}

/** A run in progress. */
export interface Run {
  /** Proves to the store that this process leads. */
  readonly fence: Fence;
  readonly counts: RunCounts;
  /** Called before each transaction. @throws RunInterrupted when the run must end. */
  checkpoint(): Promise<void>;
}

/** Ends a run between two transactions. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted';
  readonly outcome: Exclude<RunOutcome, 'done'>;

  constructor(outcome: Exclude<RunOutcome, 'done'>) {
    super(`the run is ${outcome}`);
    this.outcome = outcome;
  }
}
