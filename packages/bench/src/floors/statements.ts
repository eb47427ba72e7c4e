import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import type { Statement } from '../load/floor.ts';
import type { Load } from '../load/sample.ts';
import { apiVersion, group, spec } from '../stage/kinds.ts';
import { removeRows } from '../stage/remove-rows.ts';
import { roots } from '../stage/seed.ts';
import { rowOf, writtenRows } from '../stage/written-rows.ts';

/** What the floors program is asked to do. */
export interface StatementLoad extends Load {
  readonly statement: Statement;
}

/** Repeats a statement, one transaction each, on `connections` connections at once. */
export async function runStatement(url: string, { statement, connections, seconds }: StatementLoad) {
  const sql = postgres(url, { max: connections });
  try {
    const { act, clear } = await actOf[statement](sql);
    // Every connection opened and every statement prepared before the clock starts.
    await Promise.all(Array.from({ length: connections }, (_, client) => act(client)));
    const start = performance.now();
    const end = start + seconds * 1_000;
    let count = 0;
    let failures = 0;
    const client = async (index: number) => {
      while (performance.now() < end) {
        if (await act(index)) count += 1;
        else failures += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, index) => client(index)));
    const took = (performance.now() - start) / 1_000;
    await clear?.();
    return { count, failures, seconds: took };
  } finally {
    await sql.end();
  }
}

interface Repeated {
  /** Resolves with whether it did what it is for. */
  readonly act: (client: number) => Promise<boolean>;
  /** Removes what it has made. */
  readonly clear?: () => Promise<void>;
}

const actOf: Record<Statement, (sql: Sql) => Repeated | Promise<Repeated>> = {
  select: (sql) => {
    let turn = 0;
    const act = async () => {
      turn += 1;
      const rows = await sql`
        select r.* from resources r where r.parent_uid = (
          select uid from resources where parent_uid is null and api_group = ${group} and kind = 'Level0' and name = ${`root-${1 + (turn % roots)}`})
        and r.api_group = ${group} and r.kind = 'Level1' and r.name = ${`item-${1 + (turn % 100)}`}`;
      return rows.length === 1;
    };
    return { act };
  },
  insert: async (sql) => {
    const parents = await rootUids(sql);
    let turn = 0;
    const run = randomUUID().slice(0, 8);
    const act = async () => {
      const name = `floor-${run}-${turn++}`;
      const uid = randomUUID();
      // No seeded row has one that begins so: a random one met those of a million rows once in some ten thousand.
      const discriminator = `z${turn.toString(36).padStart(7, '0')}`;
      const { count } = await sql`
        insert into resources (uid, parent_uid, api_version, kind, name, discriminator, metadata, spec)
        values (${uid}, ${parents[turn % roots] ?? ''}, ${apiVersion}, 'Level1', ${name}, ${discriminator},
          '{"annotations":{}}'::text::json, ${spec}::text::json)`;
      return count === 1;
    };
    return { act, clear: () => removeRows(sql, 'Level1', `floor-${run}-`) };
  },
  // Each client has rows of its own, so that the revision that it knows is the row's.
  'update status': (sql) =>
    updating(sql, async (row, turn) => {
      const status = `{"controllers":{"operator:bench":{"observed":${turn}}}}`;
      const { count } = await sql`
        update resources set status = ${status}::text::json, revision = revision + 1, updated_at = now()
        where uid = ${row.uid} and revision = ${row.revision}`;
      return count === 1;
    }),
  replace: (sql) =>
    updating(sql, async (row) => {
      const { count } = await sql`
        update resources set spec = ${spec}::text::json, revision = revision + 1, generation = generation + 1, updated_at = now()
        where uid = ${row.uid} and revision = ${row.revision}`;
      return count === 1;
    }),
};

interface Row {
  readonly uid: string;
  revision: number;
}

async function updating(sql: Sql, write: (row: Row, turn: number) => Promise<boolean>): Promise<Repeated> {
  const rows = await sql<{ uid: string; revision: string }[]>`
    select uid, revision from resources where kind = 'Level1' and name like 'item-%' order by uid limit ${writtenRows}`;
  const known = rows.map(({ uid, revision }): Row => ({ uid, revision: Number(revision) }));
  let turn = 0;
  const act = async (client: number) => {
    turn += 1;
    const row = known[rowOf(client, turn)];
    if (row === undefined) throw new Error('there are no rows to update');
    const written = await write(row, turn);
    row.revision += 1;
    return written;
  };
  return { act };
}

async function rootUids(sql: Sql): Promise<string[]> {
  const rows = await sql<
    { uid: string }[]
  >`select uid from resources where kind = 'Level0' and name like 'root-%'`;
  return rows.map(({ uid }) => uid);
}
