import type { RunReport } from '../model/run-report.ts';
import type { Backlog } from './garbage-collector-store.ts';

/** The measurements of the collector. */
export interface CollectorMetrics {
  /** Whether this process leads now. A follower knows nothing of tombstones: what it reported about them no longer counts. */
  leader(leads: boolean): void;
  /** Whether this process leads and is paused. */
  paused(paused: boolean): void;
  /** A run ended, with or without a failure. */
  ran(report: RunReport): void;
  /** A batch was committed: the rows it locked, and the seconds it took. */
  batch(rows: number, seconds: number): void;
  /** A run or the lease failed; the collector now waits for `delaySeconds`. */
  failed(consecutive: number, delaySeconds: number): void;
  /** Runs or the lease work again, although this process has nothing to collect: it follows or is paused. */
  recovered(): void;
  backlog(backlog: Backlog): void;
  /** A cleanup task ran: the expired rows it deleted, or null when it failed. */
  cleaned(task: string, rows: number | null): void;
}
