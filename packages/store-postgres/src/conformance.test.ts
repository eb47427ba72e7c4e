import { testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/postgres';
import { describeStore } from '@platform/resources/conformance';
import { recordConnections, sentByOperations } from '../test/statements/sent.ts';
import { openStore } from './index.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const small = testDatabase({ migrate: (url) => migrate({ url }) });
const sent = recordConnections();

describeStore('the PostgreSQL store', async () => {
  const store = openStore({ url: database.url });
  return {
    ...store,
    removeRow: async (uid) => void (await database.sql`delete from resources where uid = ${uid}`),
    reset: async () => void (await database.sql`truncate resources`),
  };
});

it('the suite sends no statement that the tests of plans do not explain', async () => {
  // A savepoint has no plan.
  const asked = [...sent].filter((text) => !text.includes('savepoint'));
  const { texts } = await sentByOperations(small);
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter((text) => !texts.has(text))).toEqual([]);
}, 120_000);
