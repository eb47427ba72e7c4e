import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import type { Load } from '../bench-case.ts';
import type { Statement } from '../cases/baselines.ts';
import { apiVersion, group, spec } from '../fixture/kinds.ts';
import { insertNotes, removeRows, roots, rowOf, writtenRows } from '../fixture/rows.ts';
import { newUid } from '../fixture/uids.ts';

/** The message that the baseline program receives. */
export interface StatementLoad extends Load {
  readonly statement: Statement;
}

/** Repeats a statement on `connections` connections at once, each time as its own transaction. */
export async function runStatement(url: string, { statement, connections, seconds }: StatementLoad) {
  const sql = postgres(url, { max: connections });
  try {
    const { run, clear } = await statements[statement](sql, seconds);
    // Opens every connection and prepares the statement before the clock starts.
    await Promise.all(Array.from({ length: connections }, (_, client) => run(client)));
    const start = performance.now();
    const end = start + seconds * 1_000;
    let count = 0;
    let failures = 0;
    const client = async (index: number) => {
      while (performance.now() < end) {
        if (await run(index)) count += 1;
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

interface RepeatedStatement {
  /** Resolves with whether the statement had the expected effect. */
  readonly run: (client: number) => Promise<boolean>;
  /** Removes the rows that it has inserted. */
  readonly clear?: () => Promise<void>;
}

const statements: Record<
  Statement,
  (sql: Sql, seconds: number) => RepeatedStatement | Promise<RepeatedStatement>
> = {
  select: (sql) => {
    let sequence = 0;
    const run = async () => {
      sequence += 1;
      const rows = await sql`
        select r.* from resources r where r.parent_uid = (
          select uid from resources where parent_uid is null and api_group = ${group} and kind = 'Level0' and name = ${`root-${1 + (sequence % roots)}`})
        and r.api_group = ${group} and r.kind = 'Level1' and r.name = ${`item-${1 + (sequence % 100)}`}`;
      return rows.length === 1;
    };
    return { run };
  },
  insert: async (sql) => {
    const parents = await rootRows(sql);
    let sequence = 0;
    const prefix = `baseline-${randomUUID().slice(0, 8)}-`;
    const run = async () => {
      const name = `${prefix}${sequence++}`;
      const parent = parents[sequence % roots] ?? { uid: '', name: '' };
      const uid = newUid();
      // Seeded rows have no discriminator with this prefix, so there is no collision.
      const discriminator = `z${sequence.toString(36).padStart(7, '0')}`;
      const { count } = await sql`
        insert into resources (uid, parent_uid, ancestors, ancestor_uids, api_version, kind, name, discriminator, metadata, spec)
        values (${uid}, ${parent.uid}, ${`{${parent.name}}`}::text::text[], ${`{${parent.uid}}`}::text::uuid[], ${apiVersion}, 'Level1', ${name},
          ${discriminator}, '{"annotations":{}}'::text::json, ${spec}::text::json)`;
      return count === 1;
    };
    return { run, clear: () => removeRows(sql, 'Level1', prefix) };
  },
  delete: async (sql, seconds) => {
    const prefix = `baseline-${randomUUID().slice(0, 8)}-`;
    await insertNotes(sql, prefix, seconds);
    const rows = await sql<{ uid: string }[]>`
      select uid from resources where kind = 'Note' and name like ${`${prefix}%`}`;
    let sequence = 0;
    const run = async () => {
      const { count } = await sql`delete from resources where uid = ${rows[sequence++]?.uid ?? randomUUID()}`;
      return count === 1;
    };
    return { run, clear: () => removeRows(sql, 'Note', prefix) };
  },
  // Each client has rows of its own, so that it knows their current revisions.
  'update status': (sql) =>
    updateRows(sql, async (row, sequence) => {
      const status = `{"controllers":{"operator:bench":{"observed":${sequence}}}}`;
      const { count } = await sql`
        update resources set status = ${status}::text::json, revision = revision + 1, updated_at = now()
        where uid = ${row.uid} and revision = ${row.revision}`;
      return count === 1;
    }),
  replace: (sql) =>
    updateRows(sql, async (row) => {
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

async function updateRows(
  sql: Sql,
  write: (row: Row, sequence: number) => Promise<boolean>,
): Promise<RepeatedStatement> {
  const rows = await sql<{ uid: string; revision: string }[]>`
    select uid, revision from resources where kind = 'Level1' and name like 'item-%' order by uid limit ${writtenRows}`;
  const known = rows.map(({ uid, revision }): Row => ({ uid, revision: Number(revision) }));
  let sequence = 0;
  const run = async (client: number) => {
    sequence += 1;
    const row = known[rowOf(client, sequence)];
    if (row === undefined) throw new Error('the table has no rows to update');
    const written = await write(row, sequence);
    row.revision += 1;
    return written;
  };
  return { run };
}

function rootRows(sql: Sql): Promise<{ uid: string; name: string }[]> {
  return sql<{ uid: string; name: string }[]>`
    select uid, name from resources where kind = 'Level0' and name like 'root-%'`;
}
