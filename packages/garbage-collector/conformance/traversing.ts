import type { Resource } from '@platform/resources';
import { given, givenBelow, ownedBy, tombstone } from '@platform/resources/conformance';
import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

/** `GarbageCollectorStore.traverseDependents` and `findDeletedAncestors`. */
export function traversing({ guarantee }: Suite): void {
  guarantee(
    'children and owner-reference dependents are reached, over any number of levels',
    async (store) => {
      const root = await given(store);
      const child = await givenBelow(store, [root], 'Part');
      const grandchild = await givenBelow(store, [root, child], 'Screw');
      const owned = await given(store, { ownerReferences: [ownedBy(child)] });
      const below = await given(store, { ownerReferences: [ownedBy(owned, { blockOwnerDeletion: true })] });
      await given(store);
      expect(await edges(store, [root])).toEqual(
        new Set([edge(root, child), edge(child, grandchild), edge(child, owned), edge(owned, below)]),
      );
    },
  );

  guarantee('what is tombstoned is neither reached nor gone beyond', async (store) => {
    const root = await given(store);
    const child = await givenBelow(store, [root], 'Part');
    await givenBelow(store, [root, child], 'Screw');
    await tombstone(store, child);
    expect(await edges(store, [root])).toEqual(new Set());
  });

  guarantee('a row with several owners is gone beyond once', async (store) => {
    const [one, two] = [await given(store), await given(store)];
    const both = await given(store, { ownerReferences: [ownedBy(one), ownedBy(two)] });
    const below = await givenBelow(store, [both], 'Part');
    const reached = await store.garbageCollector.traverseDependents([one.uid, two.uid], 10);
    expect(reached.filter(({ uid }) => uid === below.uid)).toHaveLength(1);
    expect(await edges(store, [one, two])).toEqual(
      new Set([edge(one, both), edge(two, both), edge(both, below)]),
    );
  });

  guarantee('climbing finds the tombstones above a row, nearest first, and no live one', async (store) => {
    const [top, living] = [await given(store), await given(store)];
    const middle = await givenBelow(store, [top], 'Part', { ownerReferences: [ownedBy(living)] });
    const row = await given(store, { ownerReferences: [ownedBy(middle)] });
    const other = await given(store);
    for (const tombstoned of [top, middle, row]) await tombstone(store, tombstoned);
    const climbed = await store.garbageCollector.findDeletedAncestors([row.uid, other.uid], 10);
    expect(new Set(climbed.slice(0, 2))).toEqual(new Set([row.uid, other.uid]));
    expect(climbed.slice(2)).toEqual([middle.uid, top.uid]);
    expect(await store.garbageCollector.findDeletedAncestors([row.uid, other.uid], 3)).toHaveLength(3);
  });

  guarantee('no more is returned than asked for', async (store) => {
    const root = await given(store);
    for (let count = 0; count < 5; count += 1) await givenBelow(store, [root], 'Part');
    expect(await store.garbageCollector.traverseDependents([root.uid], 3)).toHaveLength(3);
  });
}

async function edges(
  store: GarbageCollectorStoreUnderTest,
  seeds: readonly Resource[],
): Promise<ReadonlySet<string>> {
  const reached = await store.garbageCollector.traverseDependents(
    seeds.map(({ uid }) => uid),
    100,
  );
  return new Set(reached.map(({ uid, from }) => `${from} > ${uid}`));
}

function edge(from: Resource, to: Resource): string {
  return `${from.uid} > ${to.uid}`;
}
