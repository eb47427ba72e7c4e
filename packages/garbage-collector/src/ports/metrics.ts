import type { RunReport } from '../model/run-report.ts';
import type { Backlog } from './garbage-collector-store.ts';

/** The measurements of the collector. */
export interface CollectorMetrics {
  /** Whether this process leads, and is paused. A follower does not know the tombstones, so what it reported before no longer counts. */
  role(role: { readonly leads: boolean; readonly paused: boolean }): void;
  /** A run ended without a failure. */
  ran(report: RunReport): void;
  /** A run or the lease failed; the collector now waits for `delaySeconds`. */
  failed(delaySeconds: number): void;
  /** The lease works again, and this process has nothing to run: it follows or is paused. */
  recovered(): void;
  backlog(backlog: Backlog): void;
}
