import { resourceOperations } from '../test/statements/operations.ts';
import { faultsIn, type Prepared } from '../test/statements/run.ts';
import { fewTombstones, mostlyTombstones, seed } from '../test/statements/seed.ts';
import { testStore } from '../test/store.ts';

const fixture = testStore({ poolMax: 1, statementTimeoutMs: 120_000 });

beforeAll(async () => {
  await fixture.database.sql`alter table resources set (autovacuum_enabled = off)`;
  await seed(fixture.database.sql, { from: 0, to: 50, tombstoned: fewTombstones, others: 100 });
  await fixture.database.sql`analyze`;
}, 120_000);

describe('a plan that was made while the table was small', () => {
  const prepared: Prepared = new Map();

  it('keeps to the indexes of its operation', async () => {
    expect(await faultsIn(fixture.store.database, prepared, resourceOperations)).toEqual({});
  }, 120_000);

  it('is still right when the table has grown, and most of it is tombstoned', async () => {
    await seed(fixture.database.sql, { from: 50, to: 50_000, tombstoned: mostlyTombstones, others: 0 });
    expect(
      await faultsIn(fixture.store.database, prepared, resourceOperations, { tombstones: true }),
    ).toEqual({});
  }, 120_000);
});
