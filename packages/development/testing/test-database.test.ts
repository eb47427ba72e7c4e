import postgres from 'postgres';
import { testDatabase } from './index.ts';

const database = testDatabase({
  template: 'development',
  migrate: async (url) => {
    const sql = postgres(url, { max: 1 });
    await sql`create table migrated (note text)`;
    await sql`insert into migrated values ('once')`;
    await sql.end();
  },
});
const empty = testDatabase();

describe('testDatabase', () => {
  it('is a copy of what migrate made', async () => {
    expect(await database.sql`select note from migrated`).toEqual([{ note: 'once' }]);
  });

  it('is another database for each call, on the same server', async () => {
    expect(new URL(database.url).host).toBe(new URL(empty.url).host);
    await expect(empty.sql`select from migrated`).rejects.toThrow('does not exist');
  });

  it('has UTC, UTF-8 and the C locale, so that tests see the same order everywhere', async () => {
    const [row] = await empty.sql`
      select current_setting('TimeZone') as zone, pg_encoding_to_char(encoding) as encoding, datcollate as locale
      from pg_database where datname = current_database()`;
    expect(row).toEqual({ zone: 'UTC', encoding: 'UTF8', locale: 'C' });
  });
});
