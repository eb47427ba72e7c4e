import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessSource } from '@platform/access';
import { type ChangeLog, type StateReader, stateReader, type Ticks } from '@platform/change-log';
import { storeTimeouts, testDatabase } from '@platform/development/testing';
import { harness } from '@platform/garbage-collector/conformance';
import type { Clock } from '@platform/kernel';
import type { DefinitionSource, ResourcePorts } from '@platform/resources';
import { createWatchedStore } from '@platform/store-memory';
import { migrate, openStore } from '@platform/store-postgres';

/** The ports of a store, with a door behind the API's back. */
export interface OpenStore
  extends Pick<ResourcePorts, 'reader' | 'history' | 'removed' | 'writer' | 'transactions' | 'plans'> {
  readonly definitions: DefinitionSource;
  readonly access: AccessSource;
  /** The changes of the store, where it has them. */
  readonly feed?: ChangeLog & StateReader;
  /** Runs the garbage collector until nothing is left for it to do, where there is one. */
  readonly collect?: () => Promise<void>;
  /** Removes a row as somebody with access to the database could. */
  removeRow(uid: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a store for the APIs of one test file. */
export type StoreOpener = (clock: Clock) => OpenStore;

/** A new memory store each time. */
export const memoryStore: StoreOpener = (clock) => ({
  ...createWatchedStore({ clock }),
  close: async () => {},
});

/**
 * Another pool of connections to one test database each time. Call it at the top of a `describe`. `ticks` lets the change log grow. A DELETE
 * of a resource with more than `mostDependentsMarked` dependents leaves them to the collector.
 */
export function postgresStore({
  ticks = false,
  ...limits
}: {
  readonly ticks?: boolean;
  readonly mostDependentsMarked?: number;
} = {}): StoreOpener & {
  /** Everything that is stored in these tables, as text. */
  textOf(tables: readonly string[]): Promise<string>;
  /** Drops the oldest entries of a resource from the change log, as the retention does, and keeps that many. */
  expire(uid: string, kept: number): Promise<void>;
  /** The URL of the database. */
  url(): string;
  /** Opens the database by another URL, with connections that do nothing by themselves. */
  at(url: string): StoreOpener;
} {
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  const textOf = async (tables: readonly string[]) => {
    const rows = tables.map(
      (table) => database.sql`select row_to_json(t)::text from ${database.sql(table)} t`,
    );
    return JSON.stringify(await Promise.all(rows));
  };
  const expire = async (uid: string, kept: number) => {
    await database.sql`
      delete from changes where uid = ${uid}
        and seq not in (select seq from changes where uid = ${uid} order by seq desc limit ${kept})`;
  };
  const openAt = (url: string, quiet = {}): OpenStore => {
    const store = openStore({ ...storeTimeouts, ...quiet, url, poolMax: 4 }, limits);
    const { reader, history, removed, writer, transactions, plans, definitions, access, changeLog } = store;
    const stopping = new AbortController();
    const ticking = ticks ? keepTicking(store.ticks, stopping.signal) : Promise.resolve();
    return {
      reader,
      history,
      removed,
      writer,
      transactions,
      plans,
      definitions,
      access,
      collect: () => harness({ ...store, removeRow: noop, reset: noop, endLease: noop }).drain(),
      feed: { ...changeLog, ...stateReader(reader, changeLog) },
      async close() {
        stopping.abort();
        await ticking;
        await store.close();
      },
      removeRow: async (uid) => void (await database.sql`delete from resources where uid = ${uid}`),
    };
  };
  return Object.assign(() => openAt(database.url), {
    textOf,
    expire,
    url: () => database.url,
    at: (url: string) => () => openAt(url, { planCheckMs: 3_600_000, probeAfterMs: 3_600_000 }),
  });
}

const noop = async () => undefined;

async function keepTicking(ticks: Ticks, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await ticks.tick();
    await sleep(10, undefined, { signal: stopping }).catch(() => undefined);
  }
}
