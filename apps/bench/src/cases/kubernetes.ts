import { randomBytes } from 'node:crypto';
import type { BenchCase } from '../bench-case.ts';
import { apiVersion, kindAt, spec } from '../fixture/kinds.ts';
import { deepRows, removeRows, roots } from '../fixture/rows.ts';
import { driveHttp } from '../load/http.ts';

const kind = kindAt(1);

/** The collection of a root, as its namespace, in the Kubernetes API. */
function collectionOf(root: number): string {
  return `/kubernetes/apis/${apiVersion}/namespaces/root-${1 + (root % roots)}/${kind.plural}`;
}

/** Reads the rows of `read item, depth 1`. */
export const getObject: BenchCase = {
  name: 'kubernetes: get',
  baseline: 'read item, depth 1',
  run({ api, programs }, load) {
    const paths = Array.from({ length: deepRows }, (_, i) => `${collectionOf(i + 1)}/item-${i + 1}`);
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}`, accept: 'application/json' },
      requests: (index, connections) => requestsFrom(paths, index / connections),
    });
  },
};

/** Lists the pages of `list page of 100`. */
export const listObjects: BenchCase = {
  name: 'kubernetes: list of 100',
  baseline: 'list page of 100',
  run({ api, programs }, load) {
    const paths = Array.from({ length: roots }, (_, i) => `${collectionOf(i)}?limit=100`);
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}`, accept: 'application/json' },
      requests: (index, connections) => requestsFrom(paths, index / connections),
    });
  },
};

/** Creates the rows of `create with schema`. */
export const createObject: BenchCase = {
  name: 'kubernetes: create',
  baseline: 'create with schema',
  async run({ api, programs, sql }, load) {
    const run = randomBytes(4).toString('hex');
    let count = 0;
    const next = (request: object) => {
      count += 1;
      const metadata = `{"name":"new-${run}-${count}"}`;
      return {
        ...request,
        path: collectionOf(count),
        body: `{"apiVersion":"${apiVersion}","kind":"${kind.kind}","metadata":${metadata},"spec":${spec}}`,
      };
    };
    const headers = { authorization: `Bearer ${api.session}`, 'content-type': 'application/json' };
    try {
      const requests = () => [{ method: 'POST' as const, setupRequest: next }];
      return await driveHttp(programs.api, { ...load, headers, requests });
    } finally {
      await removeRows(sql, kind.kind, `new-${run}-`);
    }
  },
};

/** Requests for all paths in their order, rotated to start at the given fraction. */
function requestsFrom(paths: readonly string[], fraction: number) {
  const start = Math.floor(fraction * paths.length);
  return [...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ method: 'GET' as const, path }));
}
