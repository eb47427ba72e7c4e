import { cascade, collectorLatency, stuckTombstones } from './collector.ts';
import type { Measure } from './measure.ts';
import { startUp } from './start-up.ts';

/** What is measured beside the cases, for trees of these sizes. */
export function measuresFor(trees: readonly number[]): readonly Measure[] {
  return [
    startUp,
    collectorLatency,
    ...trees.flatMap((size) => [cascade('wide', size), cascade('deep', size), cascade('crossing', size)]),
    stuckTombstones,
  ];
}
