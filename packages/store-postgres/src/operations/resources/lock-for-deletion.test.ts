import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Resource } from '@platform/resources';
import { below, byUid, creation, given, reread, testChange } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';
import { cascadeFrom } from './cascade.ts';
import { lockForDeletion } from './lock-for-deletion.ts';

const fixture = testStore(longLockTimeout);

/** A deletion that finds its row held by a finalizer, and cascades. */
function tombstone(row: Resource, begin: () => Promise<void> = async () => {}): Promise<readonly string[]> {
  return fixture.store.transactions.run(async ({ deletion }) => {
    await begin();
    await deletion.lock(byUid(row), null);
    await deletion.tombstone(row.uid, { cascadeFinalizer: true, change: testChange });
    return (await deletion.cascade(row.uid, testChange)).map((cascade) => cascade.dependent.uid);
  });
}

const hold = (row: Resource) => [`select from resources where uid = '${row.uid}' for no key update`];

describe('a deletion', () => {
  it.each([2, 3, 5, 6])('marks five dependents as deleted once each, %i a statement', async (most) => {
    const { store } = fixture;
    const parent = await given(store);
    const reference = {
      apiVersion: parent.apiVersion,
      kind: parent.kind,
      name: parent.name,
      uid: parent.uid,
    };
    const ownerReferences = [{ ...reference, blockOwnerDeletion: false }];
    const owned = [await given(store, { ownerReferences }), await given(store, { ownerReferences })];
    const children = await Promise.all(
      [[], [], ownerReferences].map((references) =>
        given(store, { collection: below('Part', parent), ownerReferences: references }),
      ),
    );
    const cascades = await store.database.transaction(async (sql) => {
      const outcome = await lockForDeletion(sql, byUid(parent), null, 5_000);
      if (!('locked' in outcome)) throw new Error('the parent is missing');
      return cascadeFrom(sql, { uid: parent.uid, dependents: outcome.dependents ?? '' }, testChange, most);
    });
    const relationships = new Map(cascades.map((each) => [each.dependent.uid, each.relationship]));
    expect(cascades).toHaveLength(5);
    expect(relationships).toEqual(
      new Map([
        ...owned.map(({ uid }) => [uid, 'ownerReference'] as const),
        ...children.map(({ uid }) => [uid, 'structuralChild'] as const),
      ]),
    );
    for (const row of [...owned, ...children]) {
      expect(await reread(store, row)).toMatchObject({ deletionTimestamp: expect.any(String), revision: 2 });
    }
  });

  it('marks a child as deleted that was created after it had looked for children and before it had the lock', async () => {
    const parent = await given(fixture.store);
    await whileHeld(fixture.database, hold(parent), async ({ release }) => {
      const deleting = tombstone(parent);
      await waitingForLocks(fixture.database, 1);
      const child = await given(fixture.store, { collection: below('Part', parent) });
      await release();
      expect(await deleting).toEqual([child.uid]);
      const marked = { deletionTimestamp: expect.any(String), revision: 2 };
      expect(await reread(fixture.store, child)).toMatchObject(marked);
    });
  });

  it('is run again when such a child is held by somebody, rather than wait for it out of turn', async () => {
    const parent = await given(fixture.store);
    await whileHeld(fixture.database, hold(parent), async (first) => {
      let attempts = 0;
      let secondAttempt = async () => {};
      const deleting = tombstone(parent, async () => {
        attempts += 1;
        if (attempts === 2) await secondAttempt();
      });
      await waitingForLocks(fixture.database, 1);
      const child = await given(fixture.store, { collection: below('Part', parent) });
      await whileHeld(fixture.database, hold(child), async (second) => {
        secondAttempt = second.release;
        await first.release();
        expect(await deleting).toEqual([child.uid]);
      });
      expect(attempts).toBe(2);
    });
  });

  // Accident: somebody drops the reference to keep the dependent, is answered, and the deletion of the owner still takes it along.
  it('leaves a dependent alone that dropped its reference before the deletion had its lock', async () => {
    const { store } = fixture;
    const owner = await given(store);
    const { apiVersion, kind, name, uid } = owner;
    const ownerReferences = [{ apiVersion, kind, name, uid, blockOwnerDeletion: false }];
    const [kept, other] = [await given(store, { ownerReferences }), await given(store, { ownerReferences })];
    const drop = `update resources set owner_references = '[]', revision = 2 where uid = '${kept.uid}'`;
    await whileHeld(fixture.database, [drop], async ({ release }) => {
      const deleting = tombstone(owner);
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await deleting).toEqual([other.uid]);
    });
    expect(await reread(store, kept)).toMatchObject({ deletionTimestamp: null, revision: 2 });
  });

  it('waits for a create that has locked the row, and marks as deleted what it made', async () => {
    const parent = await given(fixture.store);
    const { uid, discriminator } = creation();
    const insert = `insert into resources (uid, parent_uid, api_version, kind, name, discriminator)
      values ('${uid}', '${parent.uid}', 'example.dev/v1', 'Part', 'late', '${discriminator}')`;
    await whileHeld(fixture.database, [insert], async ({ release }) => {
      const deleting = tombstone(parent);
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await deleting).toEqual([uid]);
    });
  });

  it('leaves tombstoned dependents alone, so it does not wait for those who work on them', async () => {
    const parent = await given(fixture.store);
    const child = await given(fixture.store, { collection: below('Part', parent) });
    await tombstone(child);
    await whileHeld(fixture.database, hold(child), async () => {
      expect(await tombstone(parent)).toEqual([]);
    });
  });

  it('marks a child as deleted that its own transaction created after the lock', async () => {
    const parent = await given(fixture.store);
    const command = creation({ collection: below('Part', parent) });
    const marked = await fixture.store.transactions.run(async ({ deletion, writer }) => {
      await deletion.lock(byUid(parent), null);
      await writer.create(command);
      return deletion.cascade(parent.uid, testChange);
    });
    expect(marked.map((cascade) => cascade.dependent.uid)).toEqual([command.uid]);
  });
});
