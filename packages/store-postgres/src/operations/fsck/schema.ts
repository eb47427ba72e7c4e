import { readFile } from 'node:fs/promises';
import { findMigrations, readMigrations, type Sql } from '@platform/postgres';
import { schemaStatements } from '../../dump-schema.ts';
import type { BrokenRow, Check } from './check.ts';
import { schemaDifferences } from './schema-differences.ts';

/** The guards of the database itself: constraints, indexes, triggers. */
export const schemaChecks: readonly Check[] = [
  {
    name: 'guard_switched_off',
    invariant: 'every constraint is validated, every index valid, every trigger enabled',
    text: `select conrelid::regclass::text, 'constraint ' || conname || ' is not validated' from pg_constraint
        where not convalidated and connamespace = current_schema()::regnamespace
      union all
      select indrelid::regclass::text, 'index ' || indexrelid::regclass || ' is not valid' from pg_index
        join pg_class c on c.oid = indrelid where not indisvalid and c.relnamespace = current_schema()::regnamespace
      union all
      select tgrelid::regclass::text, 'trigger ' || tgname || ' is switched off' from pg_trigger
        join pg_class c on c.oid = tgrelid where tgenabled in ('D', 'R') and c.relnamespace = current_schema()::regnamespace`,
  },
  {
    name: 'schema_differs',
    invariant: 'domains, functions, tables, indexes and triggers are those of this release',
    find: differences,
  },
];

/** Compares with `drizzle/schema.sql`, unless a newer release has migrated the database: only that release knows its schema. */
async function differences(sql: Sql): Promise<readonly BrokenRow[]> {
  const newest = (await readMigrations()).at(-1)?.name;
  const ahead = await sql.rows('select from platform_migrations where name > $1::text', [newest ?? '']);
  if (ahead.length > 0) return [];
  const [[schema] = ['public']] = await sql.rows<readonly [string]>('select current_schema()');
  const statements = await schemaStatements(sql);
  return schemaDifferences(
    await readFile(new URL('schema.sql', findMigrations()), 'utf8'),
    statements.map((statement) => statement.replaceAll(`${schema}.`, 'public.')),
  );
}
