import { cascadeFinalizer, type Resource } from '@platform/resources';
import {
  deleteRow,
  given,
  givenBelow,
  ownedBy,
  protectedMetadata,
  read,
  replacement,
  reread,
  tombstone,
} from '@platform/resources/conformance';
import { harness } from './harness.ts';
import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

const isProtected = { metadata: protectedMetadata };
const blocking = { blockOwnerDeletion: true };

/** Cascades that meet resources which became protected after the deletion began. */
export function protection({ guarantee }: Suite): void {
  guarantee('a cascade stops at a protected row, and its siblings go', async (store) => {
    const root = await given(store);
    const path = await givenBelow(store, [root], 'Part');
    const guarded = await givenBelow(store, [root, path], 'Screw', isProtected);
    const below = await givenBelow(store, [root, path, guarded], 'Nut');
    const sibling = await givenBelow(store, [root, path], 'Screw');
    await deleteRow(store, root);
    const { drain } = harness(store);
    await drain();
    for (const row of [guarded, below]) expect(await read(store, row)).toEqual(row);
    for (const row of [root, path]) {
      expect((await reread(store, row)).finalizers).toEqual([cascadeFinalizer]);
    }
    expect(await read(store, sibling)).toBeNull();
  });

  guarantee(
    'an owner waits for a protected dependent that does not block, and goes on once it may',
    async (store) => {
      const root = await given(store);
      const owner = await givenBelow(store, [root], 'Part');
      const guarded = await given(store, {
        ...isProtected,
        ownerReferences: [ownedBy(owner)],
        finalizers: ['x/hold'],
      });
      await deleteRow(store, root);
      const { collector, drain } = harness(store);
      await drain();
      expect(await reread(store, owner)).toMatchObject({ finalizers: [] });
      expect((await reread(store, guarded)).deletionTimestamp).toBeNull();

      await unprotect(store, guarded);
      collector.wake({ reason: 'changed', uid: owner.uid });
      await drain();
      for (const row of [root, owner]) expect(await read(store, row)).toBeNull();
      expect((await reread(store, guarded)).deletionTimestamp).not.toBeNull();
    },
  );

  guarantee('while a cascade waits for a protected row, the collector does nothing', async (store) => {
    const rows: Resource[] = [];
    for (const reference of [undefined, blocking, {}]) {
      const owner = await given(store);
      rows.push(owner);
      await (reference === undefined
        ? givenBelow(store, [owner], 'Part', isProtected)
        : given(store, { ...isProtected, ownerReferences: [ownedBy(owner, reference)] }));
      await tombstone(store, owner);
    }
    const { collector, drain, reports } = harness(store);
    await drain();
    for (let time = 0; time < 3; time += 1) {
      collector.wake({ reason: 'missed' });
      await drain();
    }
    // Scanned again each time, but no row was locked or written: the cache knows that nothing has changed.
    for (const report of reports.slice(1))
      expect(report).toMatchObject({ batches: 0, removed: 0, tombstoned: 0 });
    for (const row of rows) await reread(store, row);
  });

  guarantee('a scan alone finds that a protection has gone', async (store) => {
    const [parent, owner] = [await given(store), await given(store)];
    const child = await givenBelow(store, [parent], 'Part', isProtected);
    const owned = await given(store, { ...isProtected, ownerReferences: [ownedBy(owner)] });
    await tombstone(store, parent);
    await tombstone(store, owner);
    const { collector, drain } = harness(store);
    await drain();
    for (const row of [child, owned]) await unprotect(store, row);
    collector.wake({ reason: 'missed' });
    await drain();
    for (const row of [parent, owner, child, owned]) expect(await read(store, row)).toBeNull();
  });

  guarantee('on a tombstone the annotation keeps nothing', async (store) => {
    const root = await given(store);
    const child = await givenBelow(store, [root], 'Part');
    await deleteRow(store, root);
    await store.writer.replace(replacement(await reread(store, child), isProtected));
    await store.writer.replace(replacement(await reread(store, root), isProtected));
    const { drain } = harness(store);
    await drain();
    for (const row of [root, child]) expect(await read(store, row)).toBeNull();
  });

  guarantee(
    'a row with two owners waits for its protection to go, then goes with the first',
    async (store) => {
      const [one, two] = [await given(store), await given(store)];
      const both = await given(store, {
        ...isProtected,
        ownerReferences: [ownedBy(one, blocking), ownedBy(two)],
      });
      await tombstone(store, one);
      const { collector, drain } = harness(store);
      await drain();
      expect(await read(store, both)).toEqual(both);
      await unprotect(store, both);
      collector.wake({ reason: 'changed', uid: one.uid });
      await drain();
      for (const row of [one, both]) expect(await read(store, row)).toBeNull();
      expect(await read(store, two)).toEqual(two);
    },
  );
}

async function unprotect(store: GarbageCollectorStoreUnderTest, row: Resource): Promise<void> {
  await store.writer.replace(replacement(await reread(store, row), { metadata: '{"annotations":{}}' }));
}
