import { readFile } from 'node:fs/promises';
import { findMigrations, readMigrations, type Sql } from '@platform/postgres';
import { schemaStatements } from '../../dump-schema.ts';
import type { BrokenRow, Check } from './check.ts';

/** The guards of the database itself: constraints, indexes, triggers. */
export const schemaChecks: readonly Check[] = [
  {
    name: 'guard_switched_off',
    invariant: 'every constraint is validated, every index valid, every trigger enabled',
    text: `select conrelid::regclass::text, 'constraint ' || conname || ' is not validated' from pg_constraint
        where not convalidated and connamespace = quote_ident(current_schema())::regnamespace
      union all
      select indrelid::regclass::text, 'index ' || indexrelid::regclass || ' is not valid' from pg_index
        join pg_class c on c.oid = indrelid where not indisvalid and c.relnamespace = quote_ident(current_schema())::regnamespace
      union all
      select tgrelid::regclass::text, 'trigger ' || tgname || ' is switched off' from pg_trigger
        join pg_class c on c.oid = tgrelid where tgenabled in ('D', 'R') and c.relnamespace = quote_ident(current_schema())::regnamespace`,
  },
  {
    name: 'schema_differs',
    invariant: 'domains, functions, tables, indexes and triggers are those of this release',
    find: differencesToRelease,
  },
];

/** Compares with `drizzle/schema.sql`, unless a newer release has migrated the database: only that release knows its schema. */
async function differencesToRelease(sql: Sql): Promise<readonly BrokenRow[]> {
  const newest = (await readMigrations()).at(-1)?.name;
  const ahead = await sql.rows('select from platform_migrations where name > $1::text', [newest ?? '']);
  if (ahead.length > 0) return [];
  const [[schema] = ['public']] = await sql.rows<readonly [string]>('select quote_ident(current_schema())');
  const statements = await schemaStatements(sql);
  return schemaDifferences(
    await readFile(new URL('schema.sql', findMigrations()), 'utf8'),
    statements.map((statement) => statement.replaceAll(`${schema}.`, 'public.')),
  );
}

/**
 * The differences between the schema of a database and that of the release. Unknown tables, indexes and functions are no fault:
 * operators add indexes, and extensions of PostgreSQL add functions. An unknown trigger is one, because it changes writes.
 * @param release the text of `drizzle/schema.sql`.
 * @param statements the same of the database, one for each object.
 */
export function schemaDifferences(release: string, statements: readonly string[]): readonly BrokenRow[] {
  const found = byName(statements);
  const wanted = byName(release.split(/;\n\n?(?=create |$)/i));
  const missing = [...wanted].flatMap(([id, statement]) => {
    const other = found.get(id);
    if (other === undefined) return [{ id, what: 'it is missing' }];
    return differences(statement, other).map((what) => ({ id, what }));
  });
  const unknown = [...found.keys()].filter((id) => id.startsWith('trigger ') && !wanted.has(id));
  return [...missing, ...unknown.map((id) => ({ id, what: 'this release does not have it' }))];
}

const object =
  /^create (?:or replace |unique |constraint )?(domain|function|table|index|trigger) (?:public\.)?([\w.]+(?:\(.*?\))?)(?:.* ON (?:public\.)?(\w+) )?/im;

/** Statements by their kind and name; a trigger has the name of its table, too. */
function byName(statements: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    statements.flatMap((statement) => {
      const [, kind = '', name = '', table] = object.exec(statement) ?? [];
      if (kind === '') return [];
      const id =
        kind.toLowerCase() === 'trigger' ? `trigger ${name} of ${table}` : `${kind.toLowerCase()} ${name}`;
      return [[id, statement] as const];
    }),
  );
}

/** Lines of a statement that the other one lacks, and the other way round. A comma or semicolon at the end does not count. */
function differences(wanted: string, found: string): readonly string[] {
  const [ours, theirs] = [linesOf(wanted), linesOf(found)];
  return [
    ...[...ours].filter(([key]) => !theirs.has(key)).map(([, line]) => `it lacks: ${line}`),
    ...[...theirs]
      .filter(([key]) => !ours.has(key))
      .map(([, line]) => `it has, unlike this release: ${line}`),
  ];
}

/** The lines by what is compared of them. PostgreSQL nests `or` and `and` less after a restore, so parentheses do not count. */
function linesOf(statement: string): ReadonlyMap<string, string> {
  const lines = statement
    .split('\n')
    .map((line) => line.trim().replace(/[,;]$/, ''))
    .filter((line) => line !== '' && !line.startsWith('-- '));
  return new Map(lines.map((line) => [line.replace(/[()]/g, ''), line]));
}
