import { testDatabase } from '@platform/development/testing';
import { migrate } from './index.ts';

const database = testDatabase();
const first = { name: '0001_test.sql', text: 'create table a (n int)', checksum: 'c' };

it.each([
  [
    'may not create tables in its schema',
    'closed',
    /^the role (\w+) may not create tables in the schema closed: allow it with "grant create on schema closed to \1"$/,
  ],
  [
    'has no schema',
    'nowhere',
    /^no schema in the search_path of the role \w+ exists: create one, or set it with/,
  ],
])('a role that %s is refused with what to do', async (_, schema, message) => {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(
    'create schema if not exists closed; revoke create on schema closed from current_user',
  );
  await database.sql.unsafe(`alter database ${name} set search_path = ${schema}`);
  try {
    await expect(migrate({ url: database.url }, [first])).rejects.toThrow(message);
  } finally {
    await database.sql.unsafe(`alter database ${name} reset all`);
  }
});
