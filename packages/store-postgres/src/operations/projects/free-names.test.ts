import { testDatabase } from '@platform/development/testing';
import { type Database, migrate, openDatabase } from '@platform/postgres';
import { deleteFreeNames } from './free-names.ts';

const testing = testDatabase({ migrate: (url) => migrate({ url }) });

describe('the names of deleted projects', () => {
  let database: Database;

  beforeAll(() => {
    database = openDatabase({ url: testing.url, poolMax: 2 });
  });
  afterAll(() => database.close());

  it('are deleted when their time is over, oldest first and so many at once', async () => {
    await testing.sql`
      insert into reserved_project_names (name, deleted_at)
      select 'gone' || n, timestamptz '2026-01-01Z' + n * interval '1 day' from generate_series(1, 4) n`;
    expect(await deleteFreeNames(database, '2026-01-04T00:00:00.000Z', 2)).toBe(2);
    expect(await names()).toEqual(['gone3', 'gone4']);
    expect(await deleteFreeNames(database, '2026-01-04T00:00:00.000Z', 2)).toBe(1);
    expect(await deleteFreeNames(database, '2026-01-04T00:00:00.000Z', 2)).toBe(0);
    expect(await names()).toEqual(['gone4']);
  });

  const names = async () =>
    (await testing.sql`select name from reserved_project_names order by name`).map(({ name }) => name);
});
