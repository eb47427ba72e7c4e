import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Resource } from '@platform/resources';
import { below, byUid, creation, given, reread, testChange } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';

const fixture = testStore(longLockTimeout);

/** Begins a deletion that finds nothing protected. Resolves when it has looked, with how to end it. */
function lookBeforeDeletion(row: Resource): Promise<{ readonly end: () => Promise<void> }> {
  return new Promise((looked, failed) => {
    const deleted = fixture.store.transactions.run(async ({ deletion }) => {
      await deletion.lock(byUid(row), null);
      expect(await deletion.protectedFrom(row.uid, 1)).toEqual([]);
      await new Promise<void>((goOn) => {
        const end = async () => {
          goOn();
          await deleted;
        };
        looked({ end });
      });
      await deletion.tombstone(row.uid, { cascadeFinalizer: true, change: testChange });
      await deletion.cascade(row.uid, testChange);
    });
    deleted.catch(failed);
  });
}

// Accident: a protected row is created below a tree that is being deleted: the deletion was accepted, and never ends.
it('a protected create waits for the deletion above it, also when its parent came after it had looked for it', async () => {
  const { store, database } = fixture;
  const root = await given(store);
  const inner = await given(store, { collection: below('Part', root) });
  const owner = await given(store);
  const parent = creation({ collection: below('Part', root, inner) });
  const { apiVersion, kind, name, uid } = owner;
  const hold = `select from resources where uid = '${uid}' for update`;
  await whileHeld(database, [hold], async ({ release }) => {
    const protecting = store.writer.create(
      creation({
        collection: below('Part', root, inner, { ...root, kind: 'Part', name: parent.name }),
        metadata: '{"annotations":{"platform.dev/deletion-protection":"true"}}',
        ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion: false }],
      }),
    );
    await waitingForLocks(database, 1);
    await store.writer.create(parent);
    const deletion = await lookBeforeDeletion(root);
    await release();
    // The create now waits for the row that is being deleted.
    await Promise.race([protecting, waitingForLocks(database, 1)]);
    await deletion.end();
    expect(await protecting).toEqual({ outcome: 'ancestorTerminating', name: root.name });
  });
  expect(await reread(store, root)).toMatchObject({ deletionTimestamp: expect.any(String) });
});
