import type { Fixture } from './fixture/fixture.ts';

/** How hard a case is driven. */
export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

/** The result of one measurement. */
export interface Sample {
  readonly perSecond: number;
  /** Latency in milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** CPU time of the measured process per operation, in microseconds. It varies less than the rate on a shared machine. */
  readonly cpuMicros?: number | undefined;
  /** Responses that were not 2xx, errors and timeouts. If there are any, the other figures are meaningless. */
  readonly failures: number;
}

/** An operation that is measured at several numbers of connections. */
export interface BenchCase {
  /** The name in the table and in the results, e.g. `read item, depth 1`. */
  readonly name: string;
  /** The name of the case that the rate is divided by; baselines have none. */
  readonly baseline?: string;
  /** Whether the cost may depend on the number of rows. If so, it is also measured while the table grows. */
  readonly dependsOnTable?: boolean;
  /** Measures once. Prepares the data that it needs before its clock starts. */
  run(fixture: Fixture, load: Load): Promise<Sample>;
}
