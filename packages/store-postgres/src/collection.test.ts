import { describeCollection } from '@platform/collection/conformance';
import { testStore } from '../test/store.ts';

const fixture = testStore();

describeCollection('the PostgreSQL store', async () => ({
  ...fixture.store,
  removeRow: async (uid) => void (await fixture.database.sql`delete from resources where uid = ${uid}`),
  reset: async () => void (await fixture.database.sql`truncate resources cascade`),
  endLease: async () => void (await fixture.database.sql`update leases set expires_at = '-infinity'`),
  close: async () => {},
}));
