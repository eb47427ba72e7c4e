/** Something else that is tidied up under the collector's lease: expired flows, codes, counters. */
export interface HousekeepingTask {
  /** A stable word for logs and metrics. */
  readonly name: string;
  /** Between two runs, in milliseconds. */
  readonly intervalMs: number;
  /** Must tidy up at most `limit` rows in one transaction and return how many it did; run again at once while it returns `limit`. */
  run(limit: number): Promise<number>;
}
