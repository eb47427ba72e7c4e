/**
 * How a run ended:
 * - `done`: everything that could be collected is collected;
 * - `unfinished`: its time was up, and the next run continues at once;
 * - `paused`, `deposed`, `stopped`: it had to end before the next batch.
 */
export type RunOutcome = 'done' | 'unfinished' | 'paused' | 'deposed' | 'stopped';

/** The results of one run of the garbage collector. */
export interface RunReport {
  readonly outcome: RunOutcome;
  readonly durationMs: number;
  readonly batches: number;
  /** Rows that were locked and decided. */
  readonly examined: number;
  readonly removed: number;
  /** Dependents that became tombstones, including those removed in the same step; each has one audit record. */
  readonly tombstoned: number;
  /** Tombstones read by the scan. */
  readonly scanned: number;
  /** Rows that the database refused to write. */
  readonly refused: number;
  /** Tombstones that are blocked, held by a finalizer, or waiting in the retry queue. */
  readonly stuck: number;
}

/** The counters of a run in progress. */
export class RunCounts {
  batches = 0;
  examined = 0;
  removed = 0;
  tombstoned = 0;
  scanned = 0;
  refused = 0;
  /** Rows written in any way. While it does not grow, nothing makes progress. */
  writes = 0;
}
