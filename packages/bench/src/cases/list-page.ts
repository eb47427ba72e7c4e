import { driveHttp } from '../load/http.ts';
import { levels, pathOf } from '../stage/kinds.ts';
import { roots } from '../stage/seed.ts';
import type { BenchCase } from './case.ts';
import { startingAt } from './read-item.ts';

/** The first page of a collection, 100 items of 1 KB. */
export const listPage: BenchCase = {
  name: 'list page of 100',
  floor: 'floor: page, parsed and serialized',
  ofTable: true,
  run({ api, programs }, load) {
    const kind = levels[1];
    if (kind === undefined) throw new Error('there is no kind at depth 1');
    const paths = Array.from({ length: roots }, (_, i) => `${pathOf(kind, `root-${i + 1}`)}?limit=100`);
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: (index, connections) => startingAt(paths, index / connections),
    });
  },
};
