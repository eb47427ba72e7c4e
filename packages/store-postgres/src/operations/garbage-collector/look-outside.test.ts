import { openDatabase, type Sql } from '@platform/postgres';
import { deletionProtectionAnnotation } from '@platform/resources';
import { given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { lockBatch } from './lock-batch.ts';
import { lookOutside } from './look-outside.ts';

const fixture = testStore();

const isProtected = JSON.stringify({ annotations: { [deletionProtectionAnnotation]: 'true' } });

/** Sends the statements one after the other, and does `between` after that many. */
function interrupted(sql: Sql, statements: number, between: () => Promise<unknown>): Sql {
  let sent = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows<Row extends readonly unknown[]>(...statement: Parameters<Sql['rows']>) {
      const answer = last.then(async () => {
        if (sent === statements) await between();
        sent += 1;
        return await sql.rows<Row>(...statement);
      });
      last = answer.catch(() => {});
      return answer;
    },
  };
}

// Otherwise the owner is removed and the dependent stays live for good, with a reference to nothing.
it.each([0, 1, 2, 3])(
  'sees a dependent that loses its protection after %i of its statements',
  async (statements) => {
    const owner = await given(fixture.store);
    const { apiVersion, kind, name, uid } = owner;
    const reference = { apiVersion, kind, name, uid, blockOwnerDeletion: false };
    const dependent = await given(fixture.store, { ownerReferences: [reference], metadata: isProtected });
    await fixture.database.sql`update resources set deletion_timestamp = now() where uid = ${uid}`;
    const database = openDatabase({ url: fixture.database.url, poolMax: 1 });
    try {
      const [seen] = await database.transaction(async (sql) => {
        const rows = await lockBatch(sql, [uid], 'skip');
        const unprotect = () =>
          fixture.database
            .sql`update resources set metadata = '{"annotations":{}}' where uid = ${dependent.uid}`;
        return await lookOutside(interrupted(sql, statements, unprotect), rows);
      });
      expect(seen?.liveOutside || seen?.protectedOutside !== null).toBe(true);
    } finally {
      await database.close();
    }
  },
);
