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
  await sql.unsafe(insertChildren, [apiVersion, spec, top, uid, shape === 'crossing']);
  if (shape === 'deep')
    for (let depth = 2; depth <= 8; depth++) await sql.unsafe(insertBelow(depth), [apiVersion, spec, uid]);
  if (size > 1_000) await sql.unsafe('vacuum analyze resources');
  return { uid, name, rows: 1 + (shape === 'deep' ? top * 8 : top) };
}

// Owners lie in the second half and owned rows in the first, so there is no cycle. Uids are made of the row's number, so that an owner's is
// known: looking owners up joins rows that the statistics do not know yet, and one way to write that took 95 s for 10,000 rows after a deep tree.
const insertChildren = `
  insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec, owner_references)
  select md5($4::text || i)::uuid, $4::uuid, $1::text, 'Level1', 'item-' || i, lpad(to_hex(i), 8, '0'), $2::text::json,
    case when $5::boolean and i <= $3::int / 2 then jsonb_build_array(jsonb_build_object(
      'apiVersion', $1::text, 'kind', 'Level1', 'name', 'item-' || (i + $3::int / 2), 'uid', md5($4::text || (i + $3::int / 2))::uuid,
      'blockOwnerDeletion', true)) else '[]' end
  from generate_series(1, $3::int) as i`;

const insertBelow = (depth: number) => `
  with recursive tree as (
    select uid, 0 as depth from resources where uid = $3::uuid
    union all select r.uid, depth + 1 from tree join resources r on r.parent_uid = tree.uid where depth < ${depth - 1}
  )
  insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
  select gen_random_uuid(), uid, $1::text, 'Level${depth}', 'link', 'link0000', $2::text::json from tree where depth = ${depth - 1}`;

/** Rows of the tree that are still there; those of other trees do not count. */
export async function rowsLeft(sql: Sql, { uid }: Tree): Promise<number> {
  const [row] = await sql<{ rows: string }[]>`
    with recursive tree as (
      select uid from resources where uid = ${uid}
      union all select r.uid from tree join resources r on r.parent_uid = tree.uid
    ) select count(*) as rows from tree`;
  return Number(row?.rows);
}

/** Resolves with true when the row is gone, with false when `signal` says that it took too long. */
export function untilGone(sql: Sql, uid: string, signal: AbortSignal): Promise<boolean> {
  return until(async () => (await sql`select 1 from resources where uid = ${uid}`).length === 0, signal);
}

/** The same for a row that is tombstoned or gone: what did it has been committed then. */
export function untilTombstoned(sql: Sql, uid: string, signal: AbortSignal): Promise<boolean> {
  return until(
    async () =>
      (await sql`select 1 from resources where uid = ${uid} and deletion_timestamp is null`).length === 0,
    signal,
  );
}

// Looks every few milliseconds, by primary key: little beside the work that is measured.
async function until(done: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await done()) return true;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return false;
}
