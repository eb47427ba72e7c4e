import { testDatabase } from '@platform/development/testing';
import { type Database, migrate, openDatabase } from '@platform/postgres';
import { below, creation, given } from '../test/rows.ts';
import { pagesTouched, planAll, type Recorded, recordOperations } from '../test/statements/growth.ts';
import type { Prepared } from '../test/statements/run.ts';
import { fewTombstones, mostlyTombstones, seed } from '../test/statements/seed.ts';
import { testStore } from '../test/store.ts';

/** One connection, as old as the installation, which looks at the tables with each use. */
const grown = testStore({ poolMax: 1, planCheckMs: 0, statementTimeoutMs: 120_000, writeTimeoutMs: 120_000 });
const sample = testDatabase({ migrate: (url) => migrate({ url }) });
let recorded: Recorded;

beforeAll(async () => {
  recorded = await recordOperations(sample);
  const { sql } = grown.database;
  for (const { name } of await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`) {
    await sql.unsafe(`alter table ${name} set (autovacuum_enabled = off)`);
  }
}, 120_000);

/**
 * Pages that a statement may touch beyond those of a fresh plan, in proportion and in number. An insert touches a varying number of
 * pages with the same plan: what was undone before it left dead index entries. A plan that reads a table touches hundreds more.
 */
const tolerance = { times: 1.3, pages: 50 };

/** The statements that touch more pages on the connection than on a new one. */
async function staleOn(database: Database, prepared: Prepared): Promise<readonly string[]> {
  // The first use looks at the tables, the next one makes plans for what was seen.
  await database.rows('select 1');
  const fresh = openDatabase({
    url: grown.database.url,
    poolMax: 1,
    statementTimeoutMs: 120_000,
    writeTimeoutMs: 120_000,
  });
  try {
    // Before and after: what was undone leaves dead rows behind, which later statements touch.
    const before = await pagesTouched(fresh, new Map());
    // Twice: a wrong plan touches its pages each time, but free space is looked for, and undone rows are marked in an index, once.
    const found = await pagesTouched(database, prepared);
    const again = await pagesTouched(database, prepared);
    const after = await pagesTouched(fresh, new Map());
    return [...found].flatMap(([name, statements]) =>
      statements.flatMap(({ text, pages: once }, index) => {
        const pages = Math.min(once, again.get(name)?.[index]?.pages ?? once);
        const wanted = Math.max(...[before, after].map((each) => each.get(name)?.[index]?.pages ?? 0));
        if (pages <= tolerance.times * wanted + tolerance.pages) return [];
        return `${name}: ${pages} pages, not ${wanted}: ${text.replace(/\s+/g, ' ').trim().slice(0, 150)}`;
      }),
    );
  } finally {
    await fresh.close();
  }
}

describe('no statement touches more pages than with a fresh plan, on a connection that is as old as the database', () => {
  const prepared: Prepared = new Map();

  it('when an analyzed, empty database has grown by creates below one parent', async () => {
    const { store, database } = grown;
    await database.sql`vacuum analyze`;
    await planAll(store.database, recorded, prepared);
    const parent = await given(store);
    const collection = below('Part', parent);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 64 }, () => store.writer.create(creation({ collection }))));
    }
    await seed(database.sql, { from: 0, to: 3_000, tombstoned: fewTombstones, others: 500 });
    expect(await staleOn(store.database, prepared)).toEqual([]);
  }, 240_000);

  it('when it has grown on, and most of it is tombstoned', async () => {
    await seed(grown.database.sql, { from: 3_000, to: 20_000, tombstoned: mostlyTombstones, others: 0 });
    expect(await staleOn(grown.store.database, prepared)).toEqual([]);
  }, 240_000);
});
