import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { apiVersion, spec } from './kinds.ts';

/** `wide`: all below one root; `deep`: chains of eight; `crossing`: wide, each owned by a row of the second half too. */
export type Shape = 'wide' | 'deep' | 'crossing';

/** A tree that is ready to be deleted. */
export interface Tree {
  readonly uid: string;
  readonly name: string;
  readonly rows: number;
}

/** Makes a root and about `size` rows below it. */
export async function makeTree(sql: Sql, shape: Shape, size: number): Promise<Tree> {
  const uid = randomUUID();
  const name = `tree-${uid}`;
  await sql.unsafe(
    `insert into resources (uid, api_version, kind, name, discriminator) values ($1, $2, 'Level0', $3, $4)`,
    [uid, apiVersion, name, uid.slice(0, 8)],
  );
  const top = shape === 'deep' ? Math.ceil(size / 8) : size;
  await sql.unsafe(insertChildren, [apiVersion, spec, top, uid]);
  if (shape === 'deep')
    for (let depth = 2; depth <= 8; depth++) await sql.unsafe(insertBelow(depth), [apiVersion, spec, uid]);
  if (shape === 'crossing') await sql.unsafe(own, [uid, apiVersion, top]);
  if (size > 1_000) await sql.unsafe('vacuum analyze resources');
  return { uid, name, rows: 1 + (shape === 'deep' ? top * 8 : top) };
}

const insertChildren = `
  insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
  select gen_random_uuid(), $4::uuid, $1::text, 'Level1', 'item-' || i, lpad(to_hex(i), 8, '0'), $2::text::json
  from generate_series(1, $3::int) as i`;

const insertBelow = (depth: number) => `
  with recursive tree as (
    select uid, 0 as depth from resources where uid = $3::uuid
    union all select r.uid, depth + 1 from tree join resources r on r.parent_uid = tree.uid where depth < ${depth - 1}
  )
  insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
  select gen_random_uuid(), uid, $1::text, 'Level${depth}', 'link', 'link0000', $2::text::json from tree where depth = ${depth - 1}`;

// Owners lie in the second half and owned rows in the first, so there is no cycle.
const own = `
  with child as (
    select uid, name, row_number() over (order by uid) as place from resources where parent_uid = $1::uuid
  )
  update resources r set owner_references = jsonb_build_array(jsonb_build_object(
    'apiVersion', $2::text, 'kind', 'Level1', 'name', owner.name, 'uid', owner.uid, 'blockOwnerDeletion', true))
  from child join child as owner on owner.place = child.place + $3::int / 2
  where r.uid = child.uid`;

/** Resolves when the row is gone. */
export async function untilGone(sql: Sql, uid: string): Promise<void> {
  await until(async () => (await sql`select 1 from resources where uid = ${uid}`).length === 0);
}

/** Resolves when the row is tombstoned or gone: what did it has been committed then. */
export async function untilTombstoned(sql: Sql, uid: string): Promise<void> {
  await until(
    async () =>
      (await sql`select 1 from resources where uid = ${uid} and deletion_timestamp is null`).length === 0,
  );
}

const patienceMs = 300_000;

// Looks every few milliseconds, by primary key: little beside the work that is measured.
async function until(done: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    if (await done()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error(`a cascade was not done within ${patienceMs} ms`);
}
