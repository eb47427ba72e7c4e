import type { TestDatabase } from '@platform/development/testing';
import { type Database, openDatabase, type Parameter, type Sql } from '@platform/postgres';
import { Explaining, inTransaction, undoing } from './explain.ts';
import { portsOn } from './operation.ts';
import { operations } from './operations.ts';
import { deepest } from './rows.ts';
import type { Prepared } from './run.ts';
import { fewTombstones, seed } from './seed.ts';

/** The statements that each operation sends, in order, those between them that set something included. */
export type Recorded = ReadonlyMap<string, readonly Sent[]>;

interface Sent {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

const depths = [1, 2, deepest];

/** Runs every operation on a little data, and keeps what was sent. */
export async function recordOperations({ url, sql }: TestDatabase): Promise<Recorded> {
  await seed(sql, { from: 0, to: 1_000, tombstoned: fewTombstones, others: 100 });
  const recorded = new Map<string, readonly Sent[]>();
  const database = openDatabase({ url, poolMax: 1 });
  try {
    for (const [name, { run }] of Object.entries(operations)) {
      const sent: Sent[] = [];
      recorded.set(name, sent);
      await undoing(database, (inner) => run(portsOn(inTransaction(recording(inner, sent))), depths));
    }
  } finally {
    await database.close();
  }
  return recorded;
}

function recording(sql: Sql, sent: Sent[]): Sql {
  return {
    rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
      sent.push({ text, parameters });
      return sql.rows<Row>(text, parameters);
    },
  };
}

/** Makes the plan of every statement, and those of foreign keys and triggers of `resources`, for the tables as they are now. */
export async function planAll(database: Database, recorded: Recorded, prepared: Prepared): Promise<void> {
  for (const sent of recorded.values()) {
    await undoing(database, async (sql) => {
      for (const each of sent) await planIn(sql, each, prepared);
    });
  }
  await undoing(database, async (sql) => {
    for (const text of everyTrigger) {
      await sql.rows(text);
      await sql.rows('set constraints all immediate');
    }
  });
}

async function planIn(sql: Sql, { text, parameters }: Sent, prepared: Prepared): Promise<void> {
  // The settings of an operation decide how its statements are planned.
  if (/^\s*select set_config/.test(text)) {
    await sql.rows(text, parameters);
  } else if (!prepared.has(text)) {
    const name = `planned_${prepared.size + 1}`;
    prepared.set(text, name);
    await sql.rows(`prepare ${name} as ${text}`);
    const nulls = parameters.map(() => 'null').join(', ');
    await sql.rows(`explain execute ${name}${nulls === '' ? '' : `(${nulls})`}`);
  }
}

const uid = (n: number) => `'00000000-0000-0000-0000-00000000000${n}'`;
const row = (n: number, parent: string) =>
  `insert into resources (uid, parent_uid, api_version, kind, name, discriminator)
   values (${uid(n)}, ${parent}, 'example.dev/v1', 'Widget', 'first', 'a000000${n}')`;
const everyTrigger = [
  row(1, 'null'),
  row(2, uid(1)),
  `update resources set deletion_timestamp = now(), finalizers = '{a/b}' where uid in (${uid(1)}, ${uid(2)})`,
  `update resources set finalizers = '{}' where uid = ${uid(2)}`,
  `delete from resources where uid = ${uid(2)}`,
  `delete from resources where uid = ${uid(1)}`,
];

/** The pages that each statement of each operation touches, with its triggers and foreign keys. Everything is undone. */
export async function pagesTouched(
  database: Database,
  prepared: Prepared,
): Promise<ReadonlyMap<string, readonly { readonly text: string; readonly pages: number }[]>> {
  const touched = new Map<string, readonly { text: string; pages: number }[]>();
  for (const [name, { run }] of Object.entries(operations)) {
    await undoing(database, async (sql) => {
      const explaining = new Explaining(sql, prepared);
      await run(portsOn(inTransaction(explaining)), depths);
      touched.set(name, explaining.explained);
    });
  }
  return touched;
}
