import { driveHttp } from '../load/http.ts';
import type { Request } from '../load/send.ts';
import { levels, pathOf } from '../stage/kinds.ts';
import { chainAbove, deepRows, roots } from '../stage/seed.ts';
import type { BenchCase } from './case.ts';

/** Reads of items by path; each connection walks over other items. */
export function readItem(depth: number): BenchCase {
  const kind = levels[depth];
  if (kind === undefined) throw new RangeError(`there is no kind at depth ${depth}`);
  const paths: string[] = [];
  for (let i = 1; i <= deepRows; i++) {
    if (depth === 0) paths.push(pathOf(kind, `root-${1 + (i % roots)}`));
    else if (depth === 1) paths.push(pathOf(kind, `root-${1 + (i % roots)}`, `item-${i}`));
    else paths.push(pathOf(kind, ...chainAbove(depth), `item-${i}`));
  }
  return {
    name: `read item, depth ${depth}`,
    floor: 'floor: SELECT',
    ofTable: true,
    run: ({ api, programs }, load) =>
      driveHttp(programs.api, {
        ...load,
        headers: { authorization: `Bearer ${api.session}` },
        requests: (index, connections) => startingAt(paths, index / connections),
      }),
  };
}

/** The paths in their order, from the given part of them on. */
export function startingAt(paths: readonly string[], part: number): Request[] {
  const start = Math.floor(part * paths.length);
  return [...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ method: 'GET', path }));
}
