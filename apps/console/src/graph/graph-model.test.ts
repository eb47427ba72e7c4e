import type { Relative } from '../api/resource.ts';
import { groupsHaveTables, type Level } from './graph.ts';
import { mostNodes } from './graph-builder.ts';
import { buildGraph } from './graph-model.ts';

const center = {
  apiVersion: 'example.dev/v1',
  kind: 'Site',
  name: 'main',
  uid: 'c',
  deleting: false,
  ancestors: ['acme'],
};

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

  it('says whether every group leads to a table: resources that name it as owner have none', () => {
    const many = (more: Partial<Relative>) =>
      buildGraph(
        center,
        [],
        Array.from({ length: 9 }, (_, index) => relative(`n${index}`, more)),
      );
    expect(groupsHaveTables(many({}))).toBe(true);
    expect(groupsHaveTables(many({ relationship: 'ownerReference' }))).toBe(false);
  });

  it('counts how many of a group are being deleted', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    const pages = Array.from({ length: 20 }, (_, index) =>
      relative(`n${index}`, index < 3 ? { deletionTimestamp } : {}),
    );
    expect(buildGraph(center, [], pages).nodes.map(({ deleting }) => deleting)).toEqual([0, 3]);
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

  it('draws the levels below, each resource after its parent', () => {
    const graph = buildGraph(center, [], [relative('home'), relative('shop')], [words(['home', 'shop'], 2)]);
    expect(graph.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'c home',
      'c shop',
      'home home-0',
      'home home-1',
      'shop shop-0',
      'shop shop-1',
    ]);
  });

  it('leads from groups to their tables, also where the parents are a group themselves', () => {
    const pages = Array.from({ length: 9 }, (_, index) => `page-${index}`);
    const graph = buildGraph(
      center,
      [],
      pages.map((name) => relative(name)),
      [words(pages, 1)],
    );
    expect(graph.nodes.map(({ title, table }) => [title, table?.names])).toEqual([
      ['main', undefined],
      ['9 × Page', ['acme', 'main']],
      ['9 × Word', ['acme', 'main', '-']],
    ]);
    expect(graph.folded).toBe(18);
  });

  // A site of 40 pages with five kinds below: each family is small, and all of them together are too much.
  it('never has more nodes than can be drawn', () => {
    const kinds = Array.from({ length: 40 }, (_, index) => ({
      ...relative(`p${index}`),
      kind: `Kind${index}`,
    }));
    const levels = kinds.map(({ kind, name }) => ({ ...words([name], 7), parentKind: kind }));
    const graph = buildGraph(center, [], kinds, levels);
    expect(graph.nodes.length).toBeLessThanOrEqual(mostNodes);
    expect(graph.isCut).toBe(true);
    const drawn = graph.nodes.filter(({ identity }) => identity !== null).length;
    expect(drawn + graph.folded).toBe(1 + 40 + 40 * 7);
  });

  it('says that a level was cut, and ignores what has no parent in sight', () => {
    const graph = buildGraph(center, [], [], [{ ...words(['gone'], 2), isCut: true }]);
    expect(graph.nodes).toHaveLength(1);
    expect(graph.isCut).toBe(true);
  });
});

/** Words below pages. */
function words(pages: readonly string[], each: number): Level {
  const items = pages.flatMap((page) =>
    Array.from({ length: each }, (_, index) => ({
      apiVersion: 'example.dev/v1',
      kind: 'Word',
      name: `${page}-${index}`,
      uid: `${page}-${index}`,
      ancestors: ['acme', 'main', page],
      deleting: false,
    })),
  );
  return { parentKind: 'Page', items, isCut: false };
}
