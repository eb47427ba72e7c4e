import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Resource } from '@platform/resources';
import { byUid, given, reread, testChange } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';
import { replaceRow } from './replace.ts';
import { replaceStatus } from './replace-status.ts';

const fixture = testStore(longLockTimeout);
const write = (row: Resource, slot: string, value: string | null) =>
  fixture.store.writer.replaceStatus({ change: testChange, definition: null, ref: byUid(row), slot, value });

describe('concurrent status writes', () => {
  it('of one row and of many all arrive', async () => {
    const rows = await Promise.all(Array.from({ length: 5 }, () => given(fixture.store)));
    const writes = rows.flatMap((row) => ['a', 'b', 'c'].map((slot) => write(row, slot, `"${slot}"`)));
    for (const outcome of await Promise.all(writes)) expect(outcome).toMatchObject({ changed: true });
    for (const row of rows) {
      const stored = await reread(fixture.store, row);
      expect(JSON.parse(stored?.status ?? '')).toEqual({ controllers: { a: 'a', b: 'b', c: 'c' } });
      expect(stored?.revision).toBe(4);
    }
  });

  it('go on alone when their row is missing or locked, without holding up the others', async () => {
    const [locked, free] = await Promise.all([given(fixture.store), given(fixture.store)]);
    const lock = `select from resources where uid = '${locked.uid}' for no key update`;
    await whileHeld(fixture.database, [lock], async ({ release }) => {
      const stuck = write(locked, 'a', '1');
      const missing = write({ ...free, kind: 'Other' }, 'a', '1');
      expect(await write(free, 'a', '1')).toMatchObject({ changed: true });
      expect(await missing).toEqual({ outcome: 'missing' });
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await stuck).toMatchObject({ changed: true });
    });
  });

  it('fail alone when one of them is poisoned', async () => {
    const [poisoned, healthy] = await Promise.all([given(fixture.store), given(fixture.store)]);
    const attempts = [write(poisoned, 'a', '{"not": json'), write(healthy, 'a', '1')];
    expect(await Promise.allSettled(attempts)).toMatchObject([
      { reason: { code: '22P02' } },
      { value: { changed: true } },
    ]);
    expect(await reread(fixture.store, poisoned)).toEqual(poisoned);
  });

  it('build on what was committed while they waited for the row', async () => {
    const row = await given(fixture.store);
    const statement = `update resources set revision = revision + 1, status = '{"controllers":{"theirs":1.10}}' where uid = '${row.uid}'`;
    await whileHeld(fixture.database, [statement], async ({ release }) => {
      const writing = write(row, 'ours', '2');
      const clearing = write(row, 'theirs', null);
      await waitingForLocks(fixture.database, 2);
      await release();
      expect(await writing).toMatchObject({ changed: true });
      expect(await clearing).toMatchObject({ changed: true });
    });
    expect(await reread(fixture.store, row)).toMatchObject({
      revision: 4,
      status: '{"controllers":{"ours":2}}',
    });
  });
});

it('status writes and replacements touch no index: PostgreSQL updates the row in its page (HOT)', async () => {
  const row = await given(fixture.store, { spec: '{"text":"a"}' });
  const written = await fixture.store.database.transaction(async (sql) => {
    const counts = async () => {
      const [row] = await sql.rows<readonly [number, number]>(
        'select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = $1',
        ['resources'],
      );
      return row ?? [0, 0];
    };
    const before = await counts();
    for (const value of ['1', '2', '3']) {
      await replaceStatus(sql, { change: testChange, definition: null, ref: byUid(row), slot: 'a', value });
    }
    await replaceRow(sql, {
      change: testChange,
      definition: null,
      uid: row.uid,
      revision: 4,
      apiVersion: row.apiVersion,
      labels: {},
      metadata: row.metadata,
      spec: '{"text":"b"}',
      specChanged: true,
      finalizers: ['x/a'],
      ownerReferences: [],
      addedOwners: [],
    });
    const after = await counts();
    return { all: after[0] - before[0], inPage: after[1] - before[1] };
  });
  expect(written).toEqual({ all: 4, inPage: 4 });
});
