import type { BenchCase } from '../bench-case.ts';
import { kindAt, pathOf } from '../fixture/kinds.ts';
import { chainAbove, deepRows, roots } from '../fixture/rows.ts';
import { driveHttp } from '../load/http.ts';
import type { Request } from '../load/send.ts';

/** Reads items by path; each connection reads them in another order. */
export function readItem(depth: number): BenchCase {
  const kind = kindAt(depth);
  const paths: string[] = [];
  for (let i = 1; i <= deepRows; i++) {
    if (depth === 0) paths.push(pathOf(kind, `root-${1 + (i % roots)}`));
    else if (depth === 1) paths.push(pathOf(kind, `root-${1 + (i % roots)}`, `item-${i}`));
    else paths.push(pathOf(kind, ...chainAbove(depth), `item-${i}`));
  }
  return {
    name: `read item, depth ${depth}`,
    baseline: 'baseline: SELECT',
    dependsOnTable: true,
    run: ({ api, programs }, load) =>
      driveHttp(programs.api, {
        ...load,
        headers: { authorization: `Bearer ${api.session}` },
        requests: (index, connections) => requestsFrom(paths, index / connections),
      }),
  };
}

export const readByUid: BenchCase = {
  name: 'read item by uid',
  baseline: 'baseline: SELECT',
  dependsOnTable: true,
  async run({ api, programs, sql }, load) {
    const kind = kindAt(1);
    const rows = await sql<
      { uid: string }[]
    >`select uid from resources where kind = ${kind.kind} order by uid limit 200`;
    const paths = rows.map(({ uid }) => pathOf(kind, `uid:${uid}`));
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: (index, connections) => requestsFrom(paths, index / connections),
    });
  },
};

/** The first page of a collection, 100 items of 1 KB. */
export const listPage: BenchCase = {
  name: 'list page of 100',
  baseline: 'baseline: page, parsed and serialized',
  dependsOnTable: true,
  run({ api, programs }, load) {
    const kind = kindAt(1);
    const paths = Array.from({ length: roots }, (_, i) => `${pathOf(kind, `root-${i + 1}`)}?limit=100`);
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: (index, connections) => requestsFrom(paths, index / connections),
    });
  },
};

/** Returns the identity of the caller: the cost of the middleware and of verifying a session, without the database. */
export const whoAmI: BenchCase = {
  name: 'verify session',
  baseline: 'baseline: express res.json',
  run: ({ api, programs }, load) =>
    driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: () => [{ method: 'GET', path: '/api/v1/auth/me' }],
    }),
};

/** Requests for all paths in their order, rotated to start at the given fraction. */
function requestsFrom(paths: readonly string[], fraction: number): Request[] {
  const start = Math.floor(fraction * paths.length);
  return [...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ method: 'GET', path }));
}
