/** Deletes expired rows of another area under the collector's lease: login flows, authorization codes, rate-limit counters. */
export interface CleanupTask {
  /** A stable word for logs and metrics. */
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly intervalMs: number;
  /** Must delete at most `limit` expired rows in one transaction and return their number. Runs again at once while it returns `limit`. */
  run(limit: number): Promise<number>;
}
