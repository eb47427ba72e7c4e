import type { Sql } from '@platform/postgres';

/**
 * The structure of the database, as SQL to read: domains, functions, tables with constraints, indexes and triggers, sorted by
 * name, without partitions. From the catalogs rather than pg_dump, which the embedded PostgreSQL does not bring along; the same for every
 * version that we run on.
 */
export async function dumpSchema(sql: Sql): Promise<string> {
  return (await schemaStatements(sql)).join('\n');
}

/** The statements of {@link dumpSchema}, one for each object. */
export async function schemaStatements(sql: Sql): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const text of [domains, functions, tables, indexes, triggers]) {
    for (const [statement] of await sql.rows<readonly [string]>(text))
      statements.push(`${statement.trim()};\n`);
  }
  return statements;
}

const ours = `(select oid from pg_namespace where nspname = current_schema())`;

const domains = `
  select format('create domain %s as %s%s%s', t.typname, format_type(t.typbasetype, t.typtypmod),
    case when l.collname <> 'default' then format(' collate %I', l.collname) end,
    (select string_agg(E'\\n  ' || pg_get_constraintdef(c.oid), '' order by conname) from pg_constraint c
     where c.contypid = t.oid and c.contype = 'c'))
  from pg_type t left join pg_collation l on l.oid = t.typcollation
  where t.typnamespace = ${ours} and t.typtype = 'd' order by t.typname`;

const functions = `
  select pg_get_functiondef(oid) from pg_proc where pronamespace = ${ours} order by proname, oid`;

const columns = `
  select string_agg(format(E'  %I %s%s%s%s', attname, format_type(atttypid, atttypmod),
    case when attcollation <> typcollation then format(' collate %I', (
      select collname from pg_collation l where l.oid = attcollation)) end,
    case
      when attgenerated <> '' then format(' generated always as %s stored', pg_get_expr(adbin, adrelid))
      when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid)
    end,
    case when attnotnull then ' not null' end), E',\\n' order by attnum)
  from pg_attribute join pg_type on pg_type.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = t.oid and attnum > 0 and not attisdropped`;

const constraints = `
  select string_agg(format(E',\\n  constraint %I %s', conname, pg_get_constraintdef(oid)), '' order by contype, conname)
  from pg_constraint where conrelid = t.oid and contype <> 'n'`;

const tables = `
  select format(E'create table %I (\\n%s%s\\n)%s%s', relname, (${columns}), (${constraints}),
    case when relkind = 'p' then ' partition by ' || pg_get_partkeydef(oid) end || '', ' with (' || array_to_string(reloptions, ', ') || ')')
  from pg_class t where relnamespace = ${ours} and relkind in ('r', 'p') and not relispartition order by relname`;

const indexes = `
  select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relnamespace = ${ours} and not t.relispartition and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
  order by i.indexrelid::regclass::text`;

const triggers = `
  select pg_get_triggerdef(g.oid) from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where t.relnamespace = ${ours} and not g.tgisinternal order by t.relname, g.tgname`;
