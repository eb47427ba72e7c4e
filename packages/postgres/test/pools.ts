import { type TestDatabase, testDatabase } from '@platform/development/testing';
import { type Database, type DatabaseOptions, openDatabase } from '../src/index.ts';

/** An empty database of the test file, and a way to open pools on it, which are closed at the end. */
export interface TestPools {
  readonly database: TestDatabase;
  open(options?: Partial<DatabaseOptions>): Database;
}

/** Registers `beforeAll` and `afterAll` like {@link testDatabase}. */
export function testPools(): TestPools {
  const opened: Database[] = [];
  // Before the database registers its own: a connection that is open when that is dropped counts as leaked.
  afterAll(() => Promise.all(opened.map((each) => each.close())));
  const database = testDatabase();
  return {
    database,
    open(options = {}) {
      const each = openDatabase({ url: database.url, ...options });
      opened.push(each);
      return each;
    },
  };
}
