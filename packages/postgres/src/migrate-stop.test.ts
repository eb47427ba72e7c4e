import { getEventListeners } from 'node:events';
import { testDatabase, until, whileHeld } from '@platform/development/testing';
import { migrate } from './index.ts';
import type { Migration } from './migrate.ts';

const database = testDatabase();

const migration = (number: number, text: string): Migration => ({
  name: `000${number}_test.sql`,
  text,
  checksum: `checksum of ${text}`,
});
const first = migration(1, 'create table a (n int)');

/** How many statements of the second migration are running. */
async function running(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query ~ '^(select pg_sleep|create index)'`;
  return row?.count ?? 0;
}

it.each([
  ['is being applied', 'select pg_sleep(120)'],
  [
    'creates an index and waits for older transactions',
    '-- migrate: create indexes concurrently\ncreate index concurrently i on a (n);\n',
  ],
])(
  'a file that %s is given up when the process is to stop, and the server ends its statement',
  async (_, text) => {
    await database.sql`drop table if exists a, platform_migrations`;
    await migrate({ url: database.url }, [first]);
    const stopping = new AbortController();
    await whileHeld(database, ['insert into a values (0)'], async () => {
      const attempt = migrate({ url: database.url, stopping: stopping.signal }, [first, migration(2, text)]);
      attempt.catch(() => undefined);
      await until(async () => (await running()) === 1);
      stopping.abort(new Error('told to stop'));
      await expect(attempt).rejects.toThrow('told to stop');
      await until(async () => (await running()) === 0);
    });
    expect(await database.sql`select name from platform_migrations`).toEqual([{ name: first.name }]);
  },
);

it('migrations leave no listener for a stop behind', async () => {
  await database.sql`drop table if exists a, platform_migrations`;
  const stopping = new AbortController();
  const index = migration(
    2,
    '-- migrate: create indexes concurrently\ncreate index concurrently i on a (n);\n',
  );
  await migrate({ url: database.url, stopping: stopping.signal }, [first, index]);
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
});
