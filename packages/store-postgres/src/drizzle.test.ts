import { eq } from 'drizzle-orm';
import { testStore } from '../test/store.ts';
import { query } from './drizzle.ts';
import { catalogEpoch } from './schema/index.ts';

const fixture = testStore();

describe('query', () => {
  it('runs what drizzle builds, on the pool and inside a transaction', async () => {
    const { database } = fixture.store;
    const read = await query(database, (db) => db.select().from(catalogEpoch));
    expect(read).toEqual([{ singleton: true, epoch: expect.any(Number), version: expect.any(String) }]);
    const undone = new Error('undone');
    const attempt = database.transaction(async (sql) => {
      await query(sql, (db) =>
        db.update(catalogEpoch).set({ epoch: 77 }).where(eq(catalogEpoch.singleton, true)),
      );
      expect(await query(sql, (db) => db.query.catalogEpoch.findFirst())).toMatchObject({ epoch: 77 });
      throw undone;
    });
    await expect(attempt).rejects.toBe(undone);
    expect(await query(database, (db) => db.select().from(catalogEpoch))).toEqual(read);
  });

  it('fails with the error of the database, not with one that shows the statement', async () => {
    const failing = query(fixture.store.database, (db) =>
      db.insert(catalogEpoch).values({ singleton: true, epoch: 1 }),
    );
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint_name: 'catalog_epoch_pkey' });
  });
});
