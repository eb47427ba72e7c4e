import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Resource } from '@platform/resources';
import { below, byUid, given, reread, testChange } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';

const fixture = testStore(longLockTimeout);

describe('the removal of a leaf', () => {
  it('does not wait for the lock of the row', async () => {
    const row = await given(fixture.store);
    await whileHeld(
      fixture.database,
      [`select from resources where uid = '${row.uid}' for update`],
      async () => expect(await remove(row)).toEqual({ outcome: 'kept' }),
    );
    expect(await remove(row)).toMatchObject({ outcome: 'removed' });
  });

  // Attack: the snapshot of the statement is older than the dependent, and the lock of the row is younger.
  it('finds a dependent that was committed after its snapshot', async () => {
    const parent = await given(fixture.store);
    const row = await given(fixture.store, { collection: below('Part', parent) });
    const reference = JSON.stringify([
      { apiVersion: 'example.dev/v1', kind: 'Part', name: row.name, uid: row.uid, blockOwnerDeletion: false },
    ]);
    const statements = [
      `select pg_advisory_xact_lock(1886151028, cascade_lock('${parent.uid}'))`,
      `insert into resources (uid, api_version, kind, name, discriminator, owner_references)
       values (gen_random_uuid(), 'example.dev/v1', 'Widget', 'late', 'late0000', '${reference}')`,
    ];
    await whileHeld(fixture.database, statements, async ({ release }) => {
      const removal = remove(row);
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await removal).toEqual({ outcome: 'kept' });
    });
    expect(await reread(fixture.store, row)).toEqual(row);
  });
});

function remove(row: Resource) {
  return fixture.store.writer.removeLeaf({ change: testChange, definition: null, ref: byUid(row) });
}
