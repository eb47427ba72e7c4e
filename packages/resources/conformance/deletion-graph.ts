import type { DeletionGraph } from '../src/model/deletion-graph.ts';
import type { Resource } from '../src/model/resource.ts';
import type { GraphBounds } from '../src/ports/deletion-reader.ts';
import { given, givenBelow, givenDefinition, ownedBy, reread } from './builders.ts';
import { protectedMetadata } from './protection.ts';
import { tombstone, upTo } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const blocking = { blockOwnerDeletion: true };

/** `DeletionReader`. */
export function deletionGraphs({ guarantee }: Suite): void {
  guarantee('a graph has the row itself, and is null without one', async (store) => {
    const row = await given(store, { finalizers: ['x/a', 'x/"b"'], metadata: protectedMetadata });
    const { apiVersion, kind, name, uid } = row;
    const identity = { apiVersion, kind, name, uid, parentUid: null };
    const root = { identity, deletionTimestamp: null, finalizers: row.finalizers, protected: true };
    expect(await graphOf(store, row)).toEqual({
      root,
      nodes: new Map([[uid, root]]),
      edges: [],
      complete: true,
    });
    expect(await store.reader.deletionGraph('00000000-0000-4000-8000-000000000000', all)).toBeNull();
  });

  guarantee('children and owned rows are followed, nearest first, each edge once', async (store) => {
    const root = await given(store);
    const child = await givenBelow(store, [root], 'Part', { ownerReferences: [ownedBy(root)] });
    const owned = await given(store, { ownerReferences: [ownedBy(child, blocking)] });
    const far = await given(store, { ownerReferences: [ownedBy(owned), ownedBy(root)] });
    const graph = await graphOf(store, root);
    expect(edgesIn(graph)).toEqual(
      new Set([
        edge(root, child, 'structuralChild', true),
        edge(root, far, 'ownerReference', false),
        edge(child, owned, 'ownerReference', true),
        edge(owned, far, 'ownerReference', false),
      ]),
    );
    expect(graph.edges).toHaveLength(4);
    const order = [...graph.nodes.keys()];
    expect(order[0]).toBe(root.uid);
    expect(order.at(-1)).toBe(owned.uid);
    expect(order).toHaveLength(4);
  });

  guarantee('of what holds a tombstone, rows that do not block are not followed further', async (store) => {
    const root = await given(store);
    const live = await given(store, { ownerReferences: [ownedBy(root)] });
    const marked = await given(store, { ownerReferences: [ownedBy(root)] });
    const held = await given(store, { ownerReferences: [ownedBy(root, blocking)] });
    for (const row of [live, marked, held]) await givenBelow(store, [row], 'Part');
    await tombstone(store, marked);
    await tombstone(store, held);
    const graph = await graphOf(store, root, { limit: 100, follow: 'holding' });
    expect(
      [...graph.nodes.keys()].filter((uid) => [live, marked, held].some((row) => row.uid === uid)),
    ).toHaveLength(2);
    expect(graph.nodes.has(marked.uid)).toBe(false);
    expect(graph.edges).toHaveLength(3);
    const { deletionTimestamp } = await reread(store, held);
    expect(graph.nodes.get(held.uid)?.deletionTimestamp).toBe(deletionTimestamp);
  });

  guarantee('a graph ends at its limit, and says so', async (store) => {
    const root = await given(store);
    for (const _ of upTo(5)) await givenBelow(store, [root], 'Part');
    expect(await graphOf(store, root, { limit: 5, follow: 'all' })).toMatchObject({ complete: true });
    const cut = await graphOf(store, root, { limit: 4, follow: 'all' });
    expect(cut).toMatchObject({ complete: false, edges: { length: 4 } });
  });

  guarantee('rows are read in the order of their uids, and definitions by kind', async (store) => {
    const [one, two] = [await given(store), await given(store)];
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(await store.reader.resources([two.uid, missing, one.uid])).toEqual([two, one]);
    const light = { metadata: '{}', spec: '{}', status: '{}' };
    expect(await store.reader.resources([two.uid], { documents: false })).toEqual([{ ...two, ...light }]);
    const shape = { group: 'example.dev', kind: 'Gadget' };
    const definition = await givenDefinition(store, shape);
    const found = await store.reader.definitionsOf([shape, { ...shape, kind: 'Other' }]);
    expect(found.map(({ uid }) => uid)).toEqual([definition.uid]);
    expect(await store.reader.collectorPausedSince()).toBeNull();
  });
}

const all: GraphBounds = { limit: 1_000, follow: 'all' };

async function graphOf(store: StoreUnderTest, { uid }: Resource, bounds = all): Promise<DeletionGraph> {
  const graph = await store.reader.deletionGraph(uid, bounds);
  if (graph === null) throw new Error(`there is no row ${uid}`);
  return graph;
}

function edgesIn({ edges }: DeletionGraph): ReadonlySet<string> {
  return new Set(edges.map((one) => [one.owner, one.dependent, one.relationship, one.blocking].join(' ')));
}

function edge(owner: Resource, dependent: Resource, relationship: string, blocks: boolean): string {
  return [owner.uid, dependent.uid, relationship, blocks].join(' ');
}
