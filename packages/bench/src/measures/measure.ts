import type { Stage } from '../stage/stage.ts';

/** A figure that does not depend on a number of connections. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'rows/s' | 'x';
  readonly value: number;
}

/** Takes figures, once in each round. */
export interface Measure {
  readonly name: string;
  run(stage: Stage): Promise<readonly Figure[]>;
}
