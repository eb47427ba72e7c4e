import { harness } from '@platform/garbage-collector/conformance';
import { type ChangeContext, type Operation, type Resource, systemChange } from '@platform/resources';
import { deleteRow } from '@platform/resources/conformance';
import { below, byUid, creation, given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';

const fixture = testStore();
const { database } = fixture;

const by = (operation: Operation, cascadeId: string | null = null): ChangeContext => ({
  ...systemChange(`writer of ${operation}`, operation),
  reason: 'because',
  cascadeId,
});

/** The entries since the last call, in their order: operation, actor, name, revision and whether it was removed. */
async function logged(): Promise<readonly (readonly unknown[])[]> {
  const rows = await database.sql`
    select name, revision::int, removed, written[1] as operation, written[3] as actor, written[6] as "cascadeId" from changes order by seq`;
  await database.sql`delete from changes`;
  return rows.map((row) => [row['operation'], row['actor'], row['name'], row['revision'], row['removed']]);
}

const underTest = () => ({
  ...fixture.store,
  removeRow: async () => {},
  reset: async () => {},
  endLease: async () => {},
});

beforeEach(async () => void (await database.sql`delete from changes`));

describe('a write', () => {
  it('appends one entry with its context and the resource after it', async () => {
    const row = await given(fixture.store, { name: 'a', spec: '{"n":1.10}', change: by('create') });
    await fixture.store.writer.replaceStatus({
      change: by('status'),
      definition: null,
      ref: byUid(row),
      slot: 's',
      value: '1e400',
    });
    const rows = await database.sql`select spec::text, status::text, written from changes order by seq`;
    expect(rows.map((each) => [each['spec'], each['status']])).toEqual([
      ['{"n":1.10}', '{"controllers":{}}'],
      ['{"n":1.10}', '{"controllers":{"s":1e400}}'],
    ]);
    expect(await logged()).toEqual([
      ['create', 'writer of create', 'a', 1, false],
      ['status', 'writer of status', 'a', 2, false],
    ]);
  });

  it('that keeps the revision appends none', async () => {
    const row = await given(fixture.store, { name: 'kept' });
    await logged();
    await database.sql`update resources set updated_at = now(), definition_version = gen_random_uuid() where uid = ${row.uid}`;
    expect(await logged()).toEqual([]);
  });

  it('that is rolled back appends none', async () => {
    const failing = fixture.store.transactions.run(async ({ writer }) => {
      await writer.create(creation());
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await logged()).toEqual([]);
  });

  it('of a batch has its own entry', async () => {
    const commands = ['b1', 'b2', 'b3'].map((name) => creation({ name, change: by('create') }));
    await Promise.all(commands.map((command) => fixture.store.writer.create(command)));
    expect((await logged()).map(([, , name]) => name).sort()).toEqual(['b1', 'b2', 'b3']);
  });

  it('by SQL or by the previous release has a fallback for its context', async () => {
    const row = await given(fixture.store, { name: 'old', change: by('create') });
    await logged();
    await database.sql`update resources set revision = revision + 1 where uid = ${row.uid}`;
    await database.sql`update resources set revision = revision + 1, deletion_timestamp = now() where uid = ${row.uid}`;
    await database.sql`delete from resources where uid = ${row.uid}`;
    expect(await logged()).toEqual([
      ['update', 'unknown', 'old', 2, false],
      ['delete', 'unknown', 'old', 3, false],
      ['delete', 'unknown', 'old', 3, true],
    ]);
  });

  it('of the collector of the previous release is told apart', async () => {
    const row = await given(fixture.store, { name: 'old' });
    await logged();
    await fixture.store.database.transaction(async (sql) => {
      await sql.rows("select set_config('platform.collecting', 'on', true)");
      const mark =
        'update resources set revision = revision + 1, deletion_timestamp = now() where uid = $1::uuid';
      await sql.rows(mark, [row.uid]);
    });
    await fixture.store.database.transaction(async (sql) => {
      await sql.rows("select set_config('platform.collecting', 'on', true)");
      await sql.rows('update resources set revision = revision + 1 where uid = $1::uuid', [row.uid]);
      await sql.rows('delete from resources where uid = $1::uuid', [row.uid]);
    });
    expect(await logged()).toEqual([
      ['cascade', 'collector', 'old', 2, false],
      ['release', 'collector', 'old', 3, false],
      ['collect', 'collector', 'old', 3, true],
    ]);
  });
});

describe('a deletion', () => {
  it('that removes at once is one entry', async () => {
    const row = await given(fixture.store, { name: 'gone' });
    await logged();
    await deleteRow(underTest(), row, by('delete'));
    expect(await logged()).toEqual([['delete', 'writer of delete', 'gone', 1, true]]);
  });

  it('of a tree is one cascade: tombstones from the top down, removals from the bottom up', async () => {
    const root = await given(fixture.store, { name: 'root' });
    const path = [root];
    for (const name of ['a', 'b', 'c']) {
      path.push(await given(fixture.store, { collection: below('Part', ...path), name }));
    }
    await logged();
    const cascadeId = '3f0e8c9a-0000-4000-8000-000000000001';
    await deleteRow(underTest(), root, by('delete', cascadeId));
    await harness(underTest()).drain();
    const rows = await database.sql`select distinct written[6] as id, written[5] as reason from changes`;
    expect(rows.map((each) => ({ ...each }))).toEqual([{ id: cascadeId, reason: 'because' }]);
    expect((await logged()).map(([operation, , name, , removed]) => [operation, name, removed])).toEqual([
      ['delete', 'root', false],
      ['cascade', 'a', false],
      ['collect', 'c', true],
      ['collect', 'b', true],
      ['collect', 'a', true],
      ['collect', 'root', true],
    ]);
  });

  it('that is held shows each tombstone above the next one, and the release', async () => {
    const path: Resource[] = [await given(fixture.store, { name: 'root' })];
    for (const name of ['a', 'b', 'c']) {
      const finalizers = name === 'c' ? ['x/hold'] : [];
      path.push(await given(fixture.store, { collection: below('Part', ...path), name, finalizers }));
    }
    await logged();
    await deleteRow(underTest(), path[0] as Resource, by('delete'));
    await harness(underTest()).drain();
    expect((await logged()).map(([operation, , name]) => [operation, name])).toEqual([
      ['delete', 'root'],
      ['cascade', 'a'],
      ['finalizers', 'a'],
      ['cascade', 'b'],
      ['cascade', 'c'],
    ]);
  });
});
