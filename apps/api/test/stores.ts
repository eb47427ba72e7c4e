import type { Clock } from '@platform/kernel';
import type { DefinitionSource, ResourcePorts } from '@platform/resources';
import { createMemoryStore } from '@platform/store-memory';
import { migrate, openStore } from '@platform/store-postgres';
import { testDatabase } from '@platform/testkit';

/** The ports of a store, with a door behind the API's back. */
export interface OpenStore extends Pick<ResourcePorts, 'reader' | 'writer' | 'transactions' | 'plans'> {
  readonly definitions: DefinitionSource;
  /** Removes a row as somebody with access to the database could. */
  removeRow(uid: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a store for the APIs of one test file. */
export type StoreOpener = (clock: Clock) => OpenStore;

/** A new memory store each time. */
export const memoryStore: StoreOpener = (clock) => ({
  ...createMemoryStore({ clock }),
  close: async () => {},
});

/** Another pool of connections to one test database each time. Call it at the top of a `describe`. */
export function postgresStore(): StoreOpener {
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  return () => {
    const { reader, writer, transactions, plans, definitions, close } = openStore({
      url: database.url,
      poolMax: 4,
    });
    return {
      reader,
      writer,
      transactions,
      plans,
      definitions,
      close,
      removeRow: async (uid) => void (await database.sql`delete from resources where uid = ${uid}`),
    };
  };
}
