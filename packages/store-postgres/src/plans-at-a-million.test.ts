import postgres from 'postgres';
import { operations } from '../test/statements/operations.ts';
import { faultsIn } from '../test/statements/run.ts';
import { fewTombstones, seed, seedParts } from '../test/statements/seed.ts';
import { testStore } from '../test/store.ts';

/** A million resources, and 20,000 rows of everything else that grows. Runs at the same time as other test files, in about a minute. */
const fixture = testStore({ poolMax: 1, statementTimeoutMs: 120_000 });

beforeAll(async () => {
  const { url, sql } = fixture.database;
  const other = postgres(url, { max: 1, onnotice: () => {} });
  await sql`alter table resources set (autovacuum_enabled = off)`;
  await seed(sql, { from: 0, to: 1_000, tombstoned: fewTombstones, others: 20_000 });
  await seedParts([sql, other], { from: 1_000, to: 1_000_000, tombstoned: fewTombstones });
  await other.end();
  for (const table of await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`) {
    await sql.unsafe(`vacuum analyze ${table.name}`);
  }
}, 600_000);

describe('no statement on a million resources scans, spills or leaves its indexes', () => {
  it('when it is planned for the values of each call, as behind a pooler', async () => {
    expect(await faultsIn(fixture.store.database, new Map(), operations, { custom: true })).toEqual({});
  }, 300_000);

  it('when it is planned once, and then it uses every index that it is said to', async () => {
    expect(await faultsIn(fixture.store.database, new Map(), operations, { exact: true })).toEqual({});
  }, 300_000);
});
