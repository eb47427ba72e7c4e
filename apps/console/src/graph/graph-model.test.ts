import type { Relative } from '../api/resource.ts';
import { buildGraph } from './graph-model.ts';

const center = { apiVersion: 'example.dev/v1', kind: 'Site', name: 'main', uid: 'c', deleting: false };

function relative(uid: string, more: Partial<Relative> = {}): Relative {
  const identity = { apiVersion: 'example.dev/v1', kind: 'Page', name: uid, uid, parentUid: 'c' };
  return { ...identity, relationship: 'structuralChild', deletionTimestamp: null, ...more };
}

describe('buildGraph', () => {
  it('puts parents and owners before the resource, and what depends on it after', () => {
    const graph = buildGraph(
      center,
      [relative('p', { relationship: 'parent' })],
      [relative('d', { relationship: 'ownerReference', blockOwnerDeletion: true })],
    );
    expect(graph.edges).toEqual([
      { from: 'p', to: 'c', relation: 'parent' },
      { from: 'c', to: 'd', relation: 'blocking owner' },
    ]);
  });

  it('folds many of one kind into one node, and says how many', () => {
    const graph = buildGraph(
      center,
      [],
      Array.from({ length: 84 }, (_, index) => relative(`n${index}`)),
    );
    expect(graph.nodes.map(({ title }) => title)).toEqual(['main', '84 × Page']);
    expect(graph.folded).toBe(84);
  });

  it('draws a resource that is both parent and owner once, with both edges', () => {
    const graph = buildGraph(
      center,
      [relative('p', { relationship: 'parent' }), relative('p', { relationship: 'owner' })],
      [],
    );
    expect(graph.nodes).toHaveLength(2);
    expect(graph.edges).toHaveLength(2);
  });
});
