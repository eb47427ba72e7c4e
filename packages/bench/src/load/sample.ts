/** How hard a case is driven. */
export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

/** What one measurement saw. */
export interface Sample {
  readonly perSecond: number;
  /** Latency in milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** CPU time of the measured process for each operation, in microseconds: steadier than the rate on a shared machine. */
  readonly cpuMicros?: number | undefined;
  /** Answers that were not 2xx, errors and time-outs; above 0 the figures mean nothing. */
  readonly failures: number;
}
