import { relative } from 'node:path';
import type { TestDatabase } from '@platform/development/testing';
import {
  Connection,
  type Database,
  openDatabase,
  type Parameter,
  type Sql,
  tableSizesText,
} from '@platform/postgres';
import { inTransaction, undoing } from './explain.ts';
import { portsOn } from './operation.ts';
import { operations } from './operations.ts';
import { deepest } from './rows.ts';
import { fewTombstones, seed } from './seed.ts';

/** The statements that the operations sent: the texts, and the lines of the sources that sent them, as `operations/resources/list.ts:27`. */
export interface Sent {
  readonly texts: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
}

/** Fills an empty database with a little, and runs every operation there, in every depth of a path. */
export async function sentByOperations({ url, sql }: TestDatabase): Promise<Sent> {
  await seed(sql, { from: 0, to: 1_000, tombstoned: fewTombstones, others: 100 });
  const texts = new Set<string>();
  const places = new Set<string>();
  const database: Database = openDatabase({ url, poolMax: 1 });
  const depths = Array.from({ length: deepest }, (_, index) => index + 1);
  try {
    for (const { run } of Object.values(operations)) {
      await undoing(database, (sql) => run(portsOn(inTransaction(recording(sql, texts, places))), depths));
    }
  } finally {
    await database.close();
  }
  return { texts, places };
}

function recording(sql: Sql, texts: Set<string>, places: Set<string>): Sql {
  return {
    rows<Row extends readonly unknown[]>(text: string, parameters?: readonly Parameter[]) {
      texts.add(text);
      for (const place of placesIn(new Error('sent').stack ?? '')) places.add(place);
      return sql.rows<Row>(text, parameters);
    },
  };
}

const sources = new URL('../../src/', import.meta.url).pathname;

function placesIn(stack: string): readonly string[] {
  return [...stack.matchAll(/(\/[^\s()]+\.ts):(\d+):\d+/g)]
    .filter(([, file]) => file?.startsWith(sources))
    .map(([, file, line]) => `${relative(sources, file ?? '')}:${line}`);
}

/** Records what every connection of this process sends from `beforeAll` on, but for the bounds of transactions and the look at the tables. */
export function recordConnections(): ReadonlySet<string> {
  const texts = new Set<string>();
  beforeAll(() => {
    const { rows } = Connection.prototype;
    Connection.prototype.rows = function (text, parameters) {
      if (
        text !== tableSizesText &&
        !/^(begin|commit|rollback|listen|set local statement_timeout)\b/.test(text)
      )
        texts.add(text);
      return rows.call(this, text, parameters) as never;
    };
  });
  return texts;
}
