import { driveHttp } from '../load/http.ts';
import { levels, pathOf } from '../stage/kinds.ts';
import type { BenchCase } from './case.ts';
import { startingAt } from './read-item.ts';

export const readByUid: BenchCase = {
  name: 'read item by uid',
  floor: 'floor: SELECT',
  ofTable: true,
  async run({ api, programs, sql }, load) {
    const [, kind] = levels;
    if (kind === undefined) throw new Error('there is no kind at depth 1');
    const rows = await sql<
      { uid: string }[]
    >`select uid from resources where kind = ${kind.kind} order by uid limit 200`;
    const paths = rows.map(({ uid }) => pathOf(kind, `uid:${uid}`));
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: (index, connections) => startingAt(paths, index / connections),
    });
  },
};
