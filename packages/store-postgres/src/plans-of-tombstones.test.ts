import postgres from 'postgres';
import { resourceOperations } from '../test/statements/operations.ts';
import { faultsIn, type Prepared } from '../test/statements/run.ts';
import { fewTombstones, mostlyTombstones, seed, seedParts } from '../test/statements/seed.ts';
import { testStore } from '../test/store.ts';

/** 300,000 resources, of which 95 % are tombstones: a plan that expects few tombstones is the wrong one here. */
const fixture = testStore({ poolMax: 1, statementTimeoutMs: 120_000 });
const tombstones = true;

beforeAll(async () => {
  const { url, sql } = fixture.database;
  const other = postgres(url, { max: 1, onnotice: () => {} });
  await sql`alter table resources set (autovacuum_enabled = off)`;
  await seed(sql, { from: 0, to: 1_000, tombstoned: fewTombstones, others: 100 });
  await sql`analyze resources`;
  await seedParts([sql, other], { from: 1_000, to: 300_000, tombstoned: mostlyTombstones });
  await other.end();
}, 600_000);

describe('no statement leaves its indexes where most rows are tombstoned', () => {
  const prepared: Prepared = new Map();

  it('when the statistics are those of a thousand live rows', async () => {
    expect(await faultsIn(fixture.store.database, prepared, resourceOperations, { tombstones })).toEqual({});
  }, 300_000);

  it('when that has been noticed', async () => {
    await fixture.database.sql`analyze resources`;
    expect(await faultsIn(fixture.store.database, prepared, resourceOperations, { tombstones })).toEqual({});
  }, 300_000);

  it('when it has been noticed, and statements are planned for the values of each call', async () => {
    expect(
      await faultsIn(fixture.store.database, new Map(), resourceOperations, { tombstones, custom: true }),
    ).toEqual({});
  }, 300_000);
});
