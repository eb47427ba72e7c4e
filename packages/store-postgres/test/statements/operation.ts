import { createIdentifiers, nodeRandomBytes } from '@platform/crypto';
import type { Fence } from '@platform/garbage-collector';
import { systemClock } from '@platform/kernel';
import type { Database } from '@platform/postgres';
import {
  createAuditStore,
  createAuthorizationCodeStore,
  createDeviceAuthorizationStore,
  createEncryptLimiter,
  createExtensionDirectory,
  createProjectOrigins,
  createProjectStores,
  createServiceAccountDirectory,
  createSessionStore,
  createSigningKeyStore,
  createSubscriptionStore,
  createUsedStates,
  createUserDirectory,
} from '../../src/index.ts';
import { createAccessSource } from '../../src/operations/access/load-access.ts';
import {
  createChangeLog,
  createHistory,
  createRemoved,
  createTickerLease,
  createTicks,
} from '../../src/operations/change-log/index.ts';
import { createDefinitionSource } from '../../src/operations/definitions/chain.ts';
import { createDeletionPlans } from '../../src/operations/deletion-plans/store.ts';
import {
  createCollectorPause,
  createGarbageCollectorStore,
  createLease,
} from '../../src/operations/garbage-collector/index.ts';
import { createReader } from '../../src/reader.ts';
import { createTransactions } from '../../src/transactions.ts';
import { createWriter } from '../../src/writer.ts';

/** Everything that API and collector ask of the database, on one. */
export type Ports = ReturnType<typeof portsOn>;

/** The ports of `database`, made as `wire.ts` of the apps makes them. */
export function portsOn(database: Database) {
  const { transactions: projectTransactions, ...typed } = createProjectStores(database);
  return {
    database,
    reader: createReader(database),
    writer: createWriter(database),
    transactions: createTransactions(database),
    definitions: createDefinitionSource(database),
    plans: createDeletionPlans(database),
    access: createAccessSource(database),
    garbageCollector: createGarbageCollectorStore(database),
    changeLog: createChangeLog(database, { url: '' }),
    history: createHistory(database, createTicks(database)),
    removed: createRemoved(database),
    ticks: createTicks(database),
    tickerLease: createTickerLease(database),
    lease: createLease(database),
    collectorPause: createCollectorPause(database),
    subscriptions: createSubscriptionStore(database, createHistory(database, createTicks(database))),
    ...typed,
    projectTransactions,
    origins: createProjectOrigins(database),
    serviceAccountDirectory: createServiceAccountDirectory(database),
    extensionDirectory: createExtensionDirectory(database),
    users: createUserDirectory(database, createIdentifiers(nodeRandomBytes, systemClock)),
    usedStates: createUsedStates(database),
    auditRecords: createAuditStore(database),
    sessions: createSessionStore(database, createIdentifiers(nodeRandomBytes, systemClock)),
    devices: createDeviceAuthorizationStore(database),
    loginCodes: createAuthorizationCodeStore(database, 'login'),
    oauthStates: createAuthorizationCodeStore(database, 'oauthStates'),
    oauthCodes: createAuthorizationCodeStore(database, 'oauthCodes'),
    signingKeys: createSigningKeyStore(database),
    encryptLimiter: createEncryptLimiter(database, 100),
  };
}

/** One thing that the service does, and what its statements may cost in a database of a million resources. */
export interface Operation {
  /** In `depths` of a path where it has one: each depth is a statement of its own. */
  run(ports: Ports, depths: readonly number[]): Promise<unknown>;
  /** The indexes that its statements use, with those of their triggers and foreign keys: these and no others. */
  readonly indexes: readonly string[];
  /** Indexes that it may use as well or instead, where they are as good. */
  readonly alternatives?: readonly string[];
  /** Pages of 8 KiB that one of its statements may touch; about twice what was measured. */
  readonly pages: number;
  /** The same where most of the table is tombstoned. */
  readonly pagesTombstones?: number;
  /** The pages. */
  readonly because: string;
  /** Rows that one of its statements may sort; a page of 1,000 unless told. */
  readonly sorted?: number;
  /** Rows that one of its statements may read and throw away; a handful unless told. */
  readonly filtered?: number;
  /** The same where most of the table is tombstoned and what is looked for is live. */
  readonly filteredTombstones?: number;
}

/** The operations by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** Takes the collector's lease, which every batch asks for. */
export async function fenceOf({ lease }: Ports): Promise<Fence> {
  const attempt = await lease.acquire('the test', 60);
  if (!attempt.held) throw new Error('somebody else holds the lease');
  return attempt.fence;
}
