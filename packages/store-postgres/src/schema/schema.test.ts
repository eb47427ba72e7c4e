import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { testStore } from '../../test/store.ts';
import * as schema from './index.ts';

const fixture = testStore();
const tables = Object.values(schema).filter((value) => is(value, PgTable));

/** Made and read by the migrator alone. */
const unmapped = ['platform_migrations'];

/** The name of a type in drizzle and in the database: domains count as their base type. */
function sqlType(drizzleType: string): string {
  return drizzleType.replace('varchar', 'character varying').replace(/^timestamp \((\d)\)/, 'timestamp($1)');
}

async function columnsOf(table: string): Promise<readonly object[]> {
  return fixture.database.sql`
    select attname as name, attnotnull as "notNull",
      format_type(coalesce(nullif(typbasetype, 0), atttypid), case typbasetype when 0 then atttypmod else typtypmod end) as type
    from pg_attribute join pg_type on pg_type.oid = atttypid
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attname`;
}

describe('the drizzle schema', () => {
  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    'has the columns of %s as the database has them',
    async (name, table) => {
      const columns = getTableConfig(table)
        .columns.map((column) => ({
          name: column.name,
          notNull: column.notNull,
          type: sqlType(column.getSQLType()),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      expect([...(await columnsOf(name))]).toEqual(columns);
    },
  );

  it('knows every table', async () => {
    const rows = await fixture.database
      .sql`select tablename from pg_class join pg_tables on tablename = relname
        where schemaname = current_schema() and relnamespace = current_schema()::regnamespace and not relispartition`;
    const stored = rows.map((row) => row['tablename']).filter((name) => !unmapped.includes(name));
    expect(stored.sort()).toEqual(tables.map((table) => getTableConfig(table).name).sort());
  });
});
