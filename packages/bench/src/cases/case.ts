import type { Load, Sample } from '../load/sample.ts';
import type { Stage } from '../stage/stage.ts';

/** One thing that is measured at several numbers of connections. */
export interface BenchCase {
  /** As in the table and in the results, e.g. `read item, depth 1`. */
  readonly name: string;
  /** What its rate is divided by, a name of this table; floors have none. */
  readonly floor?: string;
  /** Whether its cost may depend on the number of rows: measured while the table grows. */
  readonly ofTable?: boolean;
  /** Measures once. Prepares what it needs before its clock starts. */
  run(stage: Stage, load: Load): Promise<Sample>;
}
