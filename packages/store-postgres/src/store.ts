import type { AccessSource } from '@platform/access';
import type { ChangeLog, TickerLease, Ticks } from '@platform/change-log';
import type { CollectorPause, GarbageCollectorStore, Lease, WakeUps } from '@platform/garbage-collector';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  pendingMigrations,
  readMigrations,
} from '@platform/postgres';
import type {
  DefinitionSource,
  DeletionPlans,
  RemovedResources,
  ResourceHistory,
  ResourceReader,
  ResourceWriter,
  Transactions,
} from '@platform/resources';
import type { Listening } from './listener.ts';
import { createAccessSource } from './operations/access/load-access.ts';
import {
  createChangeLog,
  createHistory,
  createRemoved,
  createTickerLease,
  createTicks,
} from './operations/change-log/index.ts';
import { createDefinitionSource } from './operations/definitions/chain.ts';
import { createDeletionPlans } from './operations/deletion-plans/store.ts';
import {
  createCollectorPause,
  createGarbageCollectorStore,
  createLease,
  createWakeUps,
} from './operations/garbage-collector/index.ts';
import { listenForRevocations } from './operations/sessions/revocations.ts';
import { createReader } from './reader.ts';
import { createTransactions } from './transactions.ts';
import { createWriter } from './writer.ts';

/** The store of one process. */
export interface Store {
  readonly reader: ResourceReader;
  readonly writer: ResourceWriter;
  readonly transactions: Transactions;
  readonly definitions: DefinitionSource;
  readonly plans: DeletionPlans;
  readonly access: AccessSource;
  readonly garbageCollector: GarbageCollectorStore;
  readonly collectorLease: Lease;
  readonly collectorPause: CollectorPause;
  readonly collectorWakeUps: WakeUps;
  /** Calls the listener after each commit that ended sessions, and whenever some may have been missed. */
  readonly onRevocation: (listener: () => void) => Listening;
  readonly changeLog: ChangeLog;
  readonly history: ResourceHistory;
  readonly removed: RemovedResources;
  readonly ticks: Ticks;
  readonly tickerLease: TickerLease;
  /** For the operations of other areas in this package. */
  readonly database: Database;
  /** Resolves when the database takes writes. @throws StorageUnavailable within three seconds when it does not. */
  ping(): Promise<void>;
  /** The clock of the database, in milliseconds since the Unix epoch: the one that all machines share. */
  now(): Promise<number>;
  /** Whether the database has every migration of this build. */
  migrationsApplied(): Promise<boolean>;
  /** Waits for what runs, then closes every connection. */
  close(): Promise<void>;
}

/** Opens the store. It does not migrate; call {@link migrate} before or at the same time. */
export function openStore(
  options: DatabaseOptions,
  limits: { readonly mostDependentsMarked?: number } = {},
): Store {
  const database = openDatabase(options);
  const migrations = readMigrations();
  migrations.catch(() => {});
  const ticks = createTicks(database);
  return {
    reader: createReader(database),
    writer: createWriter(database),
    transactions: createTransactions(database, limits.mostDependentsMarked),
    definitions: createDefinitionSource(database),
    plans: createDeletionPlans(database),
    access: createAccessSource(database),
    garbageCollector: createGarbageCollectorStore(database),
    collectorLease: createLease(database),
    collectorPause: createCollectorPause(database),
    collectorWakeUps: createWakeUps(options),
    onRevocation: (listener) => listenForRevocations(options, listener),
    changeLog: createChangeLog(database, options),
    history: createHistory(database, ticks),
    removed: createRemoved(database),
    ticks,
    tickerLease: createTickerLease(database),
    database,
    ping: () => database.ping(),
    async now() {
      const [row] = await database.rows<readonly [number]>(
        'select (extract(epoch from now()) * 1000)::bigint',
      );
      return row?.[0] ?? Number.NEGATIVE_INFINITY;
    },
    async migrationsApplied() {
      return (await pendingMigrations(database, await migrations)).length === 0;
    },
    close: () => database.close(),
  };
}
