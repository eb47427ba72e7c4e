import { describeChangeLog } from '@platform/change-log/conformance';
import { testStore } from '../../../test/store.ts';

const fixture = testStore();

describeChangeLog('the PostgreSQL store', async () => ({
  log: fixture.store.changeLog,
  store: {
    ...fixture.store,
    removeRow: async (uid) => void (await fixture.database.sql`delete from resources where uid = ${uid}`),
    reset: async () => {},
    close: async () => {},
  },
  settle: async () => void (await fixture.store.ticks.tick()),
}));
