/**
 * How a run ended:
 * - `done`: everything that could be collected is collected;
 * - `unfinished`: its time was up, and the next run continues at once;
 * - `paused`, `deposed`, `stopped`: it had to end before the next batch.
 */
export type RunOutcome = 'done' | 'unfinished' | 'paused' | 'deposed' | 'stopped';

/** The counters of a run in progress. */
export interface RunCounts {
  batches: number;
  /** Rows that were locked and decided. */
  examined: number;
  removed: number;
  /** Dependents that became tombstones, including those removed in the same step; each has one audit record. */
  tombstoned: number;
  /** Tombstones read by the scan. */
  scanned: number;
  /** Rows that the database refused to write. */
  refused: number;
}

/** The results of one run of the garbage collector. */
export interface RunReport extends Readonly<RunCounts> {
  readonly outcome: RunOutcome;
  readonly durationMs: number;
  /** Tombstones that are blocked, held by a finalizer, or waiting in the retry queue. */
  readonly stuck: number;
}
