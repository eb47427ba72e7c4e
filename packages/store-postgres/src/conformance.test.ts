import { describeStore } from '@platform/resources/conformance';
import { testDatabase } from '@platform/testkit';
import { migrate, openStore } from './index.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });

describeStore('the PostgreSQL store', async () => {
  const store = openStore({ url: database.url });
  return {
    ...store,
    removeRow: async (uid) => void (await database.sql`delete from resources where uid = ${uid}`),
    reset: async () => void (await database.sql`truncate resources`),
  };
});
