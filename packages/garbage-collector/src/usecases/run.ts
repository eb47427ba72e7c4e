import type { RunCounts, RunOutcome } from '../model/run-report.ts';
import type { Fence } from '../ports/lease.ts';

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
