import { testDatabase } from '@platform/development/testing';
import { describeGarbageCollector } from '@platform/garbage-collector/conformance';
import { migrate } from '@platform/postgres';
import { recordConnections, sentByOperations } from '../test/statements/sent.ts';
import { testStore } from '../test/store.ts';

const fixture = testStore();
const small = testDatabase({ migrate: (url) => migrate({ url }) });
const sent = recordConnections();

describeGarbageCollector('the PostgreSQL store', async () => ({
  ...fixture.store,
  removeRow: async (uid) => void (await fixture.database.sql`delete from resources where uid = ${uid}`),
  reset: async () => void (await fixture.database.sql`truncate resources cascade`),
  endLease: async () => void (await fixture.database.sql`update leases set expires_at = '-infinity'`),
  close: async () => {},
}));

it('the suite sends no statement that the tests of plans do not explain', async () => {
  const asked = [...sent];
  const { texts } = await sentByOperations(small);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((text) => !texts.has(text))).toEqual([]);
}, 120_000);
