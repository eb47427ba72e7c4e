import type { Sql } from 'postgres';
import { apiVersion, spec } from './kinds.ts';

export const roots = 100;
/** Rows at each of the depths 2 and 8. */
export const deepRows = 100;

/** Rows are made in the database: through the API a million of them would take minutes. */
export async function seed(sql: Sql, rows: number): Promise<void> {
  await sql.unsafe(insertRoots, [apiVersion, spec, roots]);
  await sql.unsafe(insertChain);
  for (const depth of [2, 8]) await seedDeep(sql, depth, deepRows);
  await growTo(sql, rows);
}

/** Adds rows until there are `rows`, the same number below every root. */
export async function growTo(sql: Sql, rows: number): Promise<void> {
  await sql.unsafe(insertLeaves, [apiVersion, spec, Math.ceil(rows / roots)]);
  await sql.unsafe('vacuum analyze resources');
}

const insertRoots = `
  insert into resources (uid, api_version, kind, name, discriminator, spec)
  select gen_random_uuid(), $1::text, 'Level0', 'root-' || i, lpad(to_hex(i), 8, '0'), $2::text::json
  from generate_series(1, $3::int) as i`;

// Item i of root r is named item-<i>.
const insertLeaves = `
  insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
  select gen_random_uuid(), parent.uid, $1::text, 'Level1', 'item-' || i, lpad(to_hex(i), 8, '0'), $2::text::json
  from resources as parent,
    generate_series(1 + (
      select count(*) from resources where parent_uid = parent.uid and kind = 'Level1' and name like 'item-%'), $3::bigint) as i
  where parent.kind = 'Level0' and parent.name like 'root-%'`;

// One chain from root-1 down to the eighth level; what is read hangs below it.
const insertChain = `
  do $do$
  declare above uuid; below uuid;
  begin
    select uid into above from resources where kind = 'Level0' and name = 'root-1';
    for depth in 1..7 loop
      below := gen_random_uuid();
      insert into resources (uid, parent_uid, api_version, kind, name, discriminator)
        values (below, above, '${apiVersion}', 'Level' || depth, 'chain', 'chain000');
      above := below;
    end loop;
  end $do$`;

/** The names of the chain's ancestors of a row at `depth`, root first. */
export function chainAbove(depth: number): string[] {
  return ['root-1', ...Array.from({ length: depth - 1 }, () => 'chain')];
}

async function seedDeep(sql: Sql, depth: number, count: number): Promise<void> {
  await sql.unsafe(
    `insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
     select gen_random_uuid(), parent.uid, $1::text, 'Level' || $2::int, 'item-' || i, lpad(to_hex(i), 8, '0'), $3::text::json
     from generate_series(1, $4::int) as i, resources as parent
     where parent.kind = 'Level' || ($2::int - 1) and parent.name = 'chain'`,
    [apiVersion, depth, spec, count],
  );
}
