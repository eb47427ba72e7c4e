import type { Stage } from '../stage/stage.ts';

/** A figure that does not depend on a number of connections. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'µs' | 'MB' | 'rows/s' | 'x';
  readonly value: number;
  /** Set when the work was given up, with why: the value then is the best that it can have been, and no target is met by it. */
  readonly unfinished?: string;
}

/** Takes figures, once in each round. */
export interface Measure {
  readonly name: string;
  /** Has rounds of its own: taken in the first round only. */
  readonly once?: boolean;
  /** Wants a collector that leads. */
  readonly collects?: boolean;
  run(stage: Stage): Promise<readonly Figure[]>;
}
