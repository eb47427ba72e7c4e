import { storeTimeouts, type TestDatabase, testDatabase } from '@platform/development/testing';
import { type DatabaseOptions, migrate } from '@platform/postgres';
import { openStore, type Store } from '../src/index.ts';

/** A migrated database of the test file, with a store on it that is closed at the end. */
export interface TestStore {
  readonly database: TestDatabase;
  readonly store: Store;
}

/** Longer than a test may take: a statement that waits for a lock without need fails the test, instead of ending late. */
export const longLockTimeout = { lockTimeoutMs: 60_000 };

/** Registers `beforeAll` and `afterAll` like {@link testDatabase}. */
export function testStore(
  options: Omit<DatabaseOptions, 'url'> = {},
  limits: Parameters<typeof openStore>[1] = {},
): TestStore {
  let store: Store | undefined;
  // Before the database registers its own: a connection that is open when that is dropped counts as leaked.
  afterAll(() => store?.close());
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  beforeAll(() => {
    store = openStore({ ...storeTimeouts, ...options, url: database.url }, limits);
  });
  return {
    database,
    get store() {
      if (store === undefined) throw new Error('the store exists only from beforeAll to afterAll');
      return store;
    },
  };
}
