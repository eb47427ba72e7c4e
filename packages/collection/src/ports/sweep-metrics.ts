import type { SweepReport } from '../model/sweep-report.ts';
import type { Backlog } from './collection-store.ts';

/** What is measured of the collector. */
export interface CollectorMetrics {
  /** Whether this process leads now. One that does not knows nothing of tombstones: what it told of them counts no longer. */
  leader(leads: boolean): void;
  /** Whether this process leads and the switch keeps it from sweeping. */
  paused(paused: boolean): void;
  /** A sweep ended, with or without a failure. */
  swept(report: SweepReport): void;
  /** One batch was committed: rows it locked, and seconds it took. */
  batch(rows: number, seconds: number): void;
  /** A sweep or the lease failed; `delaySeconds` is how long the collector waits now. */
  failed(consecutive: number, delaySeconds: number): void;
  /** What failed works again, though this process has nothing to sweep: it does not lead, or is paused. */
  recovered(): void;
  backlog(backlog: Backlog): void;
  /** A housekeeping task ran: rows tidied up, or null when it failed. */
  tidied(task: string, rows: number | null): void;
}
