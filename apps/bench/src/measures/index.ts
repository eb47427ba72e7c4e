import type { Options } from '../options.ts';
import { changeLogCost } from './change-log.ts';
import { cascade, collectorLatency, stuckTombstones } from './collector.ts';
import { growthFromEmpty, wideParent } from './growth-through-api.ts';
import { informerStart } from './informer.ts';
import { manyKinds } from './many-kinds.ts';
import type { Measure } from './measure.ts';
import { memoryOnTable, memoryOverTime, startUp } from './process.ts';
import { controllerLatency } from './reconcile.ts';
import { scaling, scalingWithFreeDatabase } from './scaling.ts';
import { watchingChanges } from './watch.ts';

/** The measures of a run. Those that need the collector are neighbours, so that it is started once for all of them. */
export function measuresFor({ trees, quick, seconds, warmUp }: Options): readonly Measure[] {
  return [
    startUp,
    scaling({ rounds: quick ? 2 : 7, seconds, warmUp }),
    scalingWithFreeDatabase({ rounds: quick ? 2 : 7, seconds, warmUp }),
    changeLogCost({ rounds: quick ? 2 : 7, seconds }),
    watchingChanges,
    controllerLatency,
    informerStart,
    ...(quick ? [] : [memoryOverTime, growthFromEmpty, wideParent, manyKinds]),
    collectorLatency,
    ...trees.flatMap((size) => [cascade('wide', size), cascade('deep', size), cascade('crossing', size)]),
    stuckTombstones,
  ];
}

/** The measures that are taken at each size of the growing table. */
export const measuresOfGrowth: readonly Measure[] = [
  memoryOnTable,
  collectorLatency,
  cascade('wide', 10_000),
];
