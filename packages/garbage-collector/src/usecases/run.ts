import type { Clock, Logger, RandomBytes, Tracer } from '@platform/kernel';
import type { AuditLog, Cascade } from '@platform/resources';
import type { RunCounts, RunOutcome } from '../model/run-report.ts';
import type { Fenced, GarbageCollectorStore } from '../ports/garbage-collector-store.ts';
import type { Fence } from '../ports/lease.ts';

/** The ports of a run. `clock` measures intervals only and must never go back. */
export interface RunPorts {
  readonly store: GarbageCollectorStore;
  readonly audit: AuditLog;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** The author of cascades in audit records. */
const collectorActor = { actor: { type: 'system', id: 'collector' }, requestId: null } as const;

/** A run in progress. */
export class Run {
  /** Proves to the store that this process leads. */
  readonly fence: Fence;
  /** Called before each transaction. @throws RunInterrupted when the run must end. */
  readonly checkpoint: () => Promise<void>;
  readonly counts: RunCounts = { batches: 0, examined: 0, removed: 0, tombstoned: 0, scanned: 0, refused: 0 };
  readonly #audit: AuditLog;

  constructor(audit: AuditLog, fence: Fence, checkpoint: () => Promise<void>) {
    this.#audit = audit;
    this.fence = fence;
    this.checkpoint = checkpoint;
  }

  /** Rows removed or tombstoned so far. */
  get written(): number {
    return this.counts.removed + this.counts.tombstoned;
  }

  /** Reports what a transaction has written. Called first after the commit: a record is lost when the process ends before it. */
  report(cascades: readonly Cascade[], removed: readonly string[]): void {
    if (cascades.length > 0) this.#audit.cascaded(cascades, collectorActor);
    this.counts.tombstoned += cascades.length;
    this.counts.removed += removed.length;
  }
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

/** The result of a transaction that was committed. @throws RunInterrupted when this process no longer leads or is paused. */
export function requireCommitted<Result>(result: Fenced<Result>): Result {
  if (result.outcome !== 'committed') throw new RunInterrupted(result.outcome);
  return result;
}
