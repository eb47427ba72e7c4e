import type { Options } from '../options.ts';
import { cascade, collectorLatency, stuckTombstones } from './collector.ts';
import type { Measure } from './measure.ts';
import { memoryOnTable, memoryOverTime } from './memory.ts';
import { scaling } from './scaling.ts';
import { startUp } from './start-up.ts';

/** What is measured beside the cases. Those that want the collector stand together: it is started once for all of them. */
export function measuresFor({ trees, quick, seconds, warmUp }: Options): readonly Measure[] {
  return [
    startUp,
    scaling({ turns: quick ? 2 : 7, seconds, warmUp }),
    ...(quick ? [] : [memoryOverTime]),
    collectorLatency,
    ...trees.flatMap((size) => [cascade('wide', size), cascade('deep', size), cascade('crossing', size)]),
    stuckTombstones,
  ];
}

/** What is measured at each size of the growing table. */
export const measuresOfGrowth: readonly Measure[] = [
  memoryOnTable,
  collectorLatency,
  cascade('wide', 10_000),
];
