import type { Resource, ResourceIdentity } from '../src/model/resource.ts';
import type { Cascade } from '../src/ports/transactions.ts';
import { byUid, given, givenBelow, ownedBy, read, reread, testChange } from './builders.ts';
import { deleteRow, tombstone, tombstones } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const blocking = { blockOwnerDeletion: true };

/** `DeletionSteps.cascade`. */
export function cascade({ guarantee }: Suite): void {
  guarantee(
    'a cascade marks children and owner-reference dependents as deleted, and returns the relationship of each',
    async (store) => {
      const owner = await given(store);
      const child = await givenBelow(store, [owner], 'Part');
      const holding = await given(store, { ownerReferences: [ownedBy(owner, blocking)] });
      const free = await given(store, { ownerReferences: [ownedBy(owner)] });
      const cascades = await cascadeOf(store, owner);
      expect(byDependent(cascades)).toEqual(
        byDependent([
          expected(owner, child, 'structuralChild', true),
          expected(owner, holding, 'ownerReference', true),
          expected(owner, free, 'ownerReference', false),
        ]),
      );
    },
  );

  guarantee(
    'marking a row as deleted sets the timestamp, increments the revision and changes nothing else',
    async (store) => {
      const owner = await given(store);
      const child = await givenBelow(store, [owner], 'Part', { finalizers: ['x/a'], spec: '{"a":1.10}' });
      const dependent = await given(store, { ownerReferences: [ownedBy(owner)] });
      await cascadeOf(store, owner);
      for (const row of [child, dependent]) {
        const marked = await reread(store, row);
        expect(marked).toEqual({ ...row, revision: 2, deletionTimestamp: expect.any(String) });
      }
      expect(await read(store, owner)).toEqual(owner);
    },
  );

  guarantee('all rows that one transaction marks have the same timestamp', async (store) => {
    const owner = await given(store);
    const part = await givenBelow(store, [owner], 'Part');
    const rows = [part, await given(store, { ownerReferences: [ownedBy(part)] })];
    const marked = await store.transactions.run(async ({ deletion }) => {
      await deletion.lock(byUid(owner), null);
      await deletion.cascade(owner.uid, testChange);
      await deletion.lock(byUid(part), null);
      await deletion.cascade(part.uid, testChange);
      return deletion.tombstone(owner.uid, { cascadeFinalizer: true, change: testChange });
    });
    const moments = await Promise.all(rows.map(async (row) => (await reread(store, row)).deletionTimestamp));
    expect(new Set([marked.deletionTimestamp, ...moments]).size).toBe(1);
  });

  guarantee('only immediate dependents are marked', async (store) => {
    const owner = await given(store);
    const child = await givenBelow(store, [owner], 'Part');
    const grandchild = await givenBelow(store, [owner, child], 'Screw');
    const dependent = await given(store, { ownerReferences: [ownedBy(owner)] });
    const below = await given(store, { ownerReferences: [ownedBy(dependent)] });
    const unrelated = await given(store);
    expect(await cascadeOf(store, owner)).toHaveLength(2);
    for (const row of [grandchild, below, unrelated]) expect(await read(store, row)).toEqual(row);
  });

  guarantee('a dependent that is both a child and owned is marked once, as structural', async (store) => {
    const owner = await given(store);
    const both = await givenBelow(store, [owner], 'Part', { ownerReferences: [ownedBy(owner)] });
    expect(await cascadeOf(store, owner)).toEqual([expected(owner, both, 'structuralChild', true)]);
    expect(await reread(store, both)).toMatchObject({ revision: 2 });
  });

  guarantee(
    'a dependent is marked exactly once when several of its owners are deleted, repeatedly',
    async (store) => {
      const one = await given(store, { finalizers: ['x/hold'] });
      const two = await given(store, { finalizers: ['x/hold'] });
      const dependent = await given(store, { ownerReferences: [ownedBy(one), ownedBy(two, blocking)] });
      expect(await deleteRow(store, one)).toMatchObject({ cascades: [{ blocking: false, revision: 2 }] });
      const marked = await reread(store, dependent);
      expect(await deleteRow(store, two)).toEqual({ outcome: 'tombstoned', cascades: [] });
      expect(await deleteRow(store, one)).toEqual({ outcome: 'tombstoned', cascades: [] });
      expect(await read(store, dependent)).toEqual(marked);
    },
  );

  guarantee('a cascade returns the stored apiVersion of each row', async (store) => {
    const owner = await given(store, { apiVersion: 'example.dev/v2' });
    const child = await givenBelow(store, [owner], 'Part', { apiVersion: 'example.dev/v3' });
    expect(await cascadeOf(store, owner)).toEqual([expected(owner, child, 'structuralChild', true)]);
  });

  guarantee('the cascade of a row without dependents is empty', async (store) => {
    expect(await cascadeOf(store, await given(store))).toEqual([]);
  });
}

/** The transitions of docs/concepts.md, "The life of a resource", for DELETE requests. */
export function wholeDeletions({ guarantee }: Suite): void {
  guarantee(
    'a row with only non-blocking dependents is removed at once, and they are marked',
    async (store) => {
      const owner = await given(store);
      const dependent = await given(store, { ownerReferences: [ownedBy(owner)] });
      expect(await deleteRow(store, owner)).toEqual({
        outcome: 'removed',
        cascades: [expected(owner, dependent, 'ownerReference', false)],
      });
      expect(await read(store, owner)).toBeNull();
      expect((await reread(store, dependent)).deletionTimestamp).not.toBeNull();
    },
  );

  guarantee(
    'a row with finalizers or blockers is tombstoned, and blockers add the cascade finalizer',
    async (store) => {
      const held = await given(store, { finalizers: ['x/a'] });
      expect(await deleteRow(store, held)).toMatchObject({ outcome: 'tombstoned' });
      expect(await reread(store, held)).toMatchObject({ finalizers: ['x/a'] });
      const blocked = await given(store, { finalizers: ['x/a'] });
      await givenBelow(store, [blocked], 'Part');
      expect(await deleteRow(store, blocked)).toMatchObject({ outcome: 'tombstoned' });
      expect(await reread(store, blocked)).toMatchObject({
        finalizers: ['x/a', 'system.platform.dev/cascade-deletion'],
        revision: 2,
      });
    },
  );

  guarantee('a tree is removed leaves first', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const screw = await givenBelow(store, [widget, part], 'Screw');
    await deleteRow(store, widget);
    await deleteRow(store, part);
    expect(await deleteRow(store, screw)).toMatchObject({ outcome: 'removed' });
    for (const row of [part, widget]) {
      expect(await deleteRow(store, row)).toEqual({ outcome: 'removed', cascades: [] });
    }
    expect(await tombstones(store, 10)).toEqual([]);
  });

  guarantee('a tombstone that is deleted again keeps its timestamp and revision', async (store) => {
    const widget = await given(store, { finalizers: ['x/a'] });
    await deleteRow(store, widget);
    const marked = await reread(store, widget);
    await deleteRow(store, widget);
    expect(await read(store, widget)).toEqual(marked);
    const child = await tombstone(store, await given(store));
    expect(await deleteRow(store, child)).toMatchObject({ outcome: 'removed' });
  });
}

function cascadeOf(store: StoreUnderTest, owner: Resource): Promise<readonly Cascade[]> {
  return store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(owner), null);
    return deletion.cascade(owner.uid, testChange);
  });
}

function expected(
  owner: Resource,
  dependent: Resource,
  relationship: Cascade['relationship'],
  blocks: boolean,
): Cascade {
  return {
    owner: identity(owner),
    dependent: identity(dependent),
    relationship,
    blocking: blocks,
    revision: dependent.revision + 1,
  };
}

function identity({ apiVersion, kind, name, uid, parentUid }: Resource): ResourceIdentity {
  return { apiVersion, kind, name, uid, parentUid };
}

/** Sorts, because the port promises no order. */
function byDependent(cascades: readonly Cascade[]): readonly Cascade[] {
  return [...cascades].sort((a, b) => (a.dependent.uid < b.dependent.uid ? -1 : 1));
}
