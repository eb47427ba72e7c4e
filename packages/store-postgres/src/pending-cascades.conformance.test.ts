import { testDatabase } from '@platform/development/testing';
import { describeGarbageCollector } from '@platform/garbage-collector/conformance';
import { migrate } from '@platform/postgres';
import { describeStore } from '@platform/resources/conformance';
import { testStore } from '../test/store.ts';
import { openStore } from './index.ts';

// Every DELETE here leaves all dependents to the collector.
const limits = { mostDependentsMarked: 0 };

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const collected = testStore({}, limits);

const reported = 'the collector reports the cascades, not the DELETE';

// No collector runs: all tombstones of dependents are derived.
describeStore(
  'the PostgreSQL store that marks no dependents',
  async () => {
    const store = openStore({ url: database.url }, limits);
    return {
      ...store,
      removeRow: async (uid) => void (await database.sql`delete from resources where uid = ${uid}`),
      reset: async () => void (await database.sql`truncate resources`),
    };
  },
  {
    'a cascade marks children and owner-reference dependents as deleted, and returns the relationship of each':
      reported,
    'only immediate dependents are marked': reported,
    'a dependent that is both a child and owned is marked once, as structural': reported,
    'a dependent is marked exactly once when several of its owners are deleted, repeatedly': reported,
    'a cascade returns the stored apiVersion of each row': reported,
    'a row with only non-blocking dependents is removed at once, and they are marked': reported,
    'concurrent deletions of one tree mark each dependent once': reported,
    'concurrent cascades over the same rows end, and mark every dependent exactly once': reported,
  },
);

describeGarbageCollector('the PostgreSQL store that marks no dependents', async () => ({
  ...collected.store,
  removeRow: async (uid) => void (await collected.database.sql`delete from resources where uid = ${uid}`),
  reset: async () => void (await collected.database.sql`truncate resources cascade`),
  endLease: async () => void (await collected.database.sql`update leases set expires_at = '-infinity'`),
  close: async () => {},
}));
