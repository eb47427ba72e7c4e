import type { DeletionEdge, DeletionGraph, DeletionNode } from '../model/deletion-graph.ts';
import { cascadeFinalizer } from '../model/names.ts';
import { findRootCauses, fitTogether } from './find-root-causes.ts';

const at = '2026-01-01T00:00:00.000Z';

function node(uid: string, changes: Partial<DeletionNode> = {}): DeletionNode {
  const identity = { apiVersion: 'example.dev/v1', kind: 'Widget', name: uid, uid, parentUid: null };
  return { identity, deletionTimestamp: at, finalizers: [], protected: false, ...changes };
}

const live = { deletionTimestamp: null };

function edge(owner: string, dependent: string, blocking = true): DeletionEdge {
  return { owner, dependent, relationship: blocking ? 'structuralChild' : 'ownerReference', blocking };
}

function graph(
  nodes: readonly DeletionNode[],
  edges: readonly DeletionEdge[],
  complete = true,
): DeletionGraph {
  const [root] = nodes;
  return {
    root: root as DeletionNode,
    nodes: new Map(nodes.map((one) => [one.identity.uid, one])),
    edges,
    complete,
  };
}

const found = (of: DeletionGraph, limit = 1_000) =>
  findRootCauses(of, limit).map(({ kind, path, finalizer }) => [
    kind,
    path.map(({ uid }) => uid).join('>'),
    ...(finalizer === null ? [] : [finalizer]),
  ]);

describe('root causes', () => {
  it('are none of a live row', () => expect(found(graph([node('a', live)], []))).toEqual([]));

  it('of a free tombstone are the collector', () => {
    expect(found(graph([node('a', { finalizers: [cascadeFinalizer] })], []))).toEqual([['collector', 'a']]);
  });

  it('are each finalizer, but not that of the cascade', () => {
    const nodes = [node('a', { finalizers: [cascadeFinalizer] }), node('b', { finalizers: ['x/1', 'x/2'] })];
    expect(found(graph(nodes, [edge('a', 'b')]))).toEqual([
      ['finalizer', 'a>b', 'x/1'],
      ['finalizer', 'a>b', 'x/2'],
    ]);
  });

  it('leave out what lies on the way, and come nearest first', () => {
    const nodes = [
      node('a', { finalizers: ['x/a'] }),
      node('b'),
      node('c'),
      node('d', { finalizers: ['x/d'] }),
    ];
    expect(found(graph(nodes, [edge('a', 'b'), edge('a', 'c'), edge('b', 'd')]))).toEqual([
      ['finalizer', 'a', 'x/a'],
      ['collector', 'a>c'],
      ['finalizer', 'a>b>d', 'x/d'],
    ]);
  });

  it('are found once, on the shortest way', () => {
    const nodes = [node('a'), node('b'), node('c', { finalizers: ['x/c'] })];
    const edges = [edge('a', 'b'), edge('a', 'c'), edge('b', 'c')];
    expect(found(graph(nodes, edges))).toEqual([['finalizer', 'a>c', 'x/c']]);
  });

  it('of a row with a tombstoned dependent that does not block are not that dependent', () => {
    const nodes = [node('a'), node('b', { finalizers: ['x/b'] })];
    expect(found(graph(nodes, [edge('a', 'b', false)]))).toEqual([['collector', 'a']]);
  });

  it('are live dependents, blocking or not, and what will hold the blocking ones', () => {
    const nodes = [
      node('a'),
      node('b', { ...live, finalizers: ['x/b'] }),
      node('c', { ...live, finalizers: ['x/c'] }),
    ];
    expect(found(graph(nodes, [edge('a', 'b'), edge('a', 'c', false)]))).toEqual([
      ['live_dependent', 'a>b'],
      ['finalizer', 'a>b', 'x/b'],
      ['live_dependent', 'a>c'],
    ]);
  });

  it('are protected rows with everything that holds them', () => {
    const nodes = [node('a'), node('b', { ...live, protected: true, finalizers: ['x/b'] }), node('c', live)];
    expect(found(graph(nodes, [edge('a', 'b'), edge('b', 'c')]))).toEqual([
      ['protected', 'a>b'],
      ['finalizer', 'a>b', 'x/b'],
    ]);
  });

  it('do not blame the collector for a row whose dependents were not read', () => {
    const nodes = [node('a'), node('b')];
    expect(found(graph(nodes, [edge('a', 'b')], false))).toEqual([]);
  });

  it('are at most as many as asked for', () => {
    expect(found(graph([node('a', { finalizers: ['x/1', 'x/2'] })], []), 1)).toHaveLength(1);
  });
});

// Attack: a thousand finalizers below a chain of ten thousand owners, and an answer of gigabytes.
it('ends when the paths are too long together', () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => node(`c${index}`));
  const leaves = Array.from({ length: 1_000 }, (_, index) => node(`l${index}`, { finalizers: ['x/1'] }));
  const edges = [
    ...chain.slice(1).map((_, index) => edge(`c${index}`, `c${index + 1}`)),
    ...leaves.map(({ identity }) => edge('c9999', identity.uid)),
  ];
  const causes = findRootCauses(graph([...chain, ...leaves], edges), 1_000);
  expect(causes).toHaveLength(5);
  expect(causes[0]?.path).toHaveLength(10_001);
  expect(causes[0]?.path[1]?.uid).toBe('c1');
  expect(fitTogether(causes)).toBe(false);
  expect(fitTogether(causes.slice(1))).toBe(true);
});
