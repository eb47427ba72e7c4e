import { type Cascade, cascadeFinalizer, type Resource } from '@platform/resources';
import {
  byUid,
  deleteRow,
  given,
  givenBelow,
  ownedBy,
  read,
  reread,
  testChange,
  tombstones,
} from '@platform/resources/conformance';
import { harness, sharedLease } from './harness.ts';
import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

const blocking = { blockOwnerDeletion: true };
const held = { finalizers: ['x/hold'] };

/** The collector over the store: what clients see of it in the end. */
export function draining({ guarantee }: Suite): void {
  guarantee(
    'a tree that is deleted at its root is gone after one run, each dependent reported once',
    async (store) => {
      const { root, below } = await tree(store);
      const byDelete = await cascadesOf(deleteRow(store, root));
      const { drain, cascades, reports } = harness(store, { settings: { batchSize: 4 } });
      await drain();
      for (const row of [root, ...below]) expect(await read(store, row)).toBeNull();
      expect(uidsOf([...byDelete, ...cascades])).toEqual(sorted(below));
      expect(reports).toHaveLength(1);
    },
  );

  guarantee('a chain of owners goes, whether or not they block', async (store) => {
    const chain = [await given(store)];
    for (let length = 1; length < 60; length += 1) {
      const reference = ownedBy(chain.at(-1) as Resource, { blockOwnerDeletion: length % 3 > 0 });
      chain.push(await given(store, { ownerReferences: [reference] }));
    }
    const byDelete = await cascadesOf(deleteRow(store, chain[0] as Resource));
    const { drain, cascades } = harness(store, { settings: { batchSize: 7 } });
    await drain();
    for (const row of chain) expect(await read(store, row)).toBeNull();
    expect(uidsOf([...byDelete, ...cascades])).toEqual(sorted(chain.slice(1)));
  });

  guarantee(
    'a held leaf keeps its own path only, and its release lets the rest go at once',
    async (store) => {
      const root = await given(store);
      const [path, other] = [
        await givenBelow(store, [root], 'Part'),
        await givenBelow(store, [root], 'Part'),
      ];
      const leaf = await givenBelow(store, [root, path], 'Screw', held);
      await givenBelow(store, [root, other], 'Screw');
      await deleteRow(store, root);
      const { collector, drain, reports } = harness(store);
      await drain();
      expect(await read(store, other)).toBeNull();
      for (const row of [root, path]) {
        expect((await reread(store, row)).finalizers).toEqual([cascadeFinalizer]);
      }
      expect(await reread(store, leaf)).toMatchObject({ finalizers: ['x/hold'], revision: 2 });

      await store.writer.changeFinalizers({
        change: testChange,
        definition: null,
        ref: byUid(leaf),
        add: [],
        remove: ['x/hold'],
        limit: 64,
      });
      collector.wake({ reason: 'changed', uid: leaf.uid });
      await drain();
      for (const row of [root, path, leaf]) expect(await read(store, row)).toBeNull();
      // Nothing was scanned for it: the wake-up named the row, and the row led to the others.
      expect(reports.at(-1)).toMatchObject({ scanned: 0, removed: 3 });
    },
  );

  guarantee('an owner goes before dependents that do not block, and they go after it', async (store) => {
    const owner = await given(store);
    const free = await given(store, { ownerReferences: [ownedBy(owner)], ...held });
    const below = await givenBelow(store, [free], 'Part');
    await deleteRow(store, owner);
    const { drain } = harness(store);
    await drain();
    expect(await read(store, owner)).toBeNull();
    expect(await read(store, below)).toBeNull();
    expect(await reread(store, free)).toMatchObject({
      finalizers: ['x/hold'],
      deletionTimestamp: expect.any(String),
    });
  });

  guarantee('an owner that blocks stays visible until its dependent is collected', async (store) => {
    const owner = await given(store);
    const dependent = await given(store, { ownerReferences: [ownedBy(owner, blocking)], ...held });
    await deleteRow(store, owner);
    const { drain } = harness(store);
    await drain();
    expect((await reread(store, owner)).finalizers).toEqual([cascadeFinalizer]);
    expect((await reread(store, dependent)).deletionTimestamp).not.toBeNull();
  });

  guarantee('diamonds and crossing owners go, each row reported once', async (store) => {
    const roots = [await given(store), await given(store)];
    const arms: Resource[] = [];
    for (const root of roots)
      for (let count = 0; count < 3; count += 1) arms.push(await givenBelow(store, [root], 'Part'));
    const crossing: Resource[] = [];
    for (let count = 0; count < 6; count += 1) {
      const owners = [arms[count], arms[(count + 1) % 6], arms[(count + 3) % 6]] as Resource[];
      const references = owners.map((owner, index) => ownedBy(owner, { blockOwnerDeletion: index === 1 }));
      crossing.push(await given(store, { ownerReferences: references }));
    }
    const byDelete: Cascade[] = [];
    for (const root of roots) byDelete.push(...(await cascadesOf(deleteRow(store, root))));
    const { drain, cascades } = harness(store, { settings: { batchSize: 3 } });
    await drain();
    for (const row of [...roots, ...arms, ...crossing]) expect(await read(store, row)).toBeNull();
    expect(uidsOf([...byDelete, ...cascades])).toEqual(sorted([...arms, ...crossing]));
  });

  guarantee(
    'stuck tombstones at the head, however many, do not keep newer ones from going',
    async (store) => {
      for (let count = 0; count < 25; count += 1) await deleteRow(store, await given(store, held));
      const blocked = await given(store);
      await givenBelow(store, [blocked], 'Part', held);
      await deleteRow(store, blocked);
      const { root, below } = await tree(store);
      await deleteRow(store, root);
      const { drain, reports } = harness(store, { settings: { batchSize: 4 } });
      await drain();
      for (const row of [root, ...below]) expect(await read(store, row)).toBeNull();
      expect(reports).toHaveLength(1);
      expect(reports[0]).toMatchObject({ stuck: 27 });
    },
  );

  guarantee(
    'a stuck tombstone is not examined again until it or what blocks it has changed',
    async (store) => {
      const owner = await given(store);
      const dependent = await given(store, { ownerReferences: [ownedBy(owner, blocking)], ...held });
      await deleteRow(store, owner);
      const { collector, drain, reports } = harness(store);
      await drain();
      collector.wake({ reason: 'missed' });
      await drain();
      expect(reports.at(-1)).toMatchObject({ scanned: 2, examined: 0 });
      await store.removeRow(dependent.uid);
      collector.wake({ reason: 'missed' });
      await drain();
      expect(await read(store, owner)).toBeNull();
    },
  );

  guarantee('leaders that all believe they lead report every dependent once and miss none', async (store) => {
    const attempt = await store.collectorLease.acquire('the suite', 3_600);
    if (!attempt.held) throw new Error('the lease is not free');
    const trees = [await tree(store), await tree(store), await tree(store)];
    const reported: Cascade[] = [];
    for (const { root } of trees) reported.push(...(await cascadesOf(deleteRow(store, root))));
    const options = { ports: { lease: sharedLease(attempt.fence) }, settings: { batchSize: 3 } };
    const leaders = [1, 2, 3].map(() => harness(store, options));
    for (let turn = 0; turn < 20 && (await tombstones(store, 1)).length > 0; turn += 1) {
      for (const { collector } of leaders) collector.wake({ reason: 'missed' });
      await Promise.all(leaders.map(({ drain }) => drain()));
    }
    expect(await tombstones(store, 1)).toEqual([]);
    for (const { root, below } of trees) {
      for (const row of [root, ...below]) expect(await read(store, row)).toBeNull();
    }
    for (const { cascades } of leaders) reported.push(...cascades);
    expect(uidsOf(reported)).toEqual(sorted(trees.flatMap(({ below }) => below)));
  });
}

/** The dependents that a DELETE marked as deleted and reported itself; a store may leave that to the collector. */
async function cascadesOf(deletion: ReturnType<typeof deleteRow>): Promise<readonly Cascade[]> {
  const outcome = await deletion;
  if (outcome.outcome === 'missing') throw new Error('the row is missing');
  return outcome.cascades;
}

/** A root with two children of two children each, and owners across. */
async function tree(
  store: GarbageCollectorStoreUnderTest,
): Promise<{ root: Resource; below: readonly Resource[] }> {
  const root = await given(store);
  const below: Resource[] = [];
  for (let count = 0; count < 2; count += 1) {
    const child = await givenBelow(store, [root], 'Part');
    below.push(child);
    for (let screws = 0; screws < 2; screws += 1) {
      below.push(
        await givenBelow(store, [root, child], 'Screw', { ownerReferences: [ownedBy(child, blocking)] }),
      );
    }
    below.push(await given(store, { ownerReferences: [ownedBy(below.at(-1) as Resource)] }));
  }
  return { root, below };
}

function uidsOf(cascades: readonly { readonly dependent: { readonly uid: string } }[]): readonly string[] {
  return cascades.map(({ dependent }) => dependent.uid).sort();
}

function sorted(rows: readonly Resource[]): readonly string[] {
  return rows.map(({ uid }) => uid).sort();
}
