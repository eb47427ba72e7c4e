/**
 * How a sweep ended:
 * - `done`: everything that could be collected is;
 * - `unfinished`: its time was up, and the next sweep goes on at once;
 * - `paused`, `deposed`, `stopped`: it had to end before the next batch.
 */
export type SweepOutcome = 'done' | 'unfinished' | 'paused' | 'deposed' | 'stopped';

/** What one sweep did. */
export interface SweepReport {
  readonly outcome: SweepOutcome;
  readonly durationMs: number;
  readonly batches: number;
  /** Rows that were locked and judged. */
  readonly examined: number;
  readonly removed: number;
  /** Dependents that were newly tombstoned, those removed in the same step included; one audit record each. */
  readonly stamped: number;
  /** Tombstones read by the scan. */
  readonly scanned: number;
  /** Rows that the database refused to write. */
  readonly refused: number;
  /** Tombstones that are known to be held or set aside. */
  readonly stuck: number;
}

/** The counters of a sweep under way. */
export class SweepTally {
  batches = 0;
  examined = 0;
  removed = 0;
  stamped = 0;
  scanned = 0;
  refused = 0;
  /** Rows written in any way: while it stands still, nothing moves. */
  changes = 0;
}
