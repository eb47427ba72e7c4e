import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '@platform/kernel';
import { AdmissionQueue } from './admission-queue.ts';
import { Batcher, type BatchLimits } from './batcher.ts';
import type { Connection, Parameter, Sql } from './connection.ts';
import { Connections } from './connections.ts';
import type { DatabaseOptions } from './database-options.ts';
import { retrying } from './retry.ts';

/** How a transaction differs from others. */
export interface TransactionOptions {
  /** For statements that touch as many rows as a tree has. */
  readonly long?: boolean;
  /** The approximate size of the documents that `work` holds while it waits for a connection. */
  readonly bytes?: number;
}

/** Statements and transactions, each on a connection of its own. */
export interface Transactional extends Sql {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. Not retried. */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** A kind of work whose concurrent items share a statement. */
export interface BatchedWork<Item, Result> extends BatchLimits {
  /** Returns a result for each item, in order; see {@link Batcher}. */
  readonly run: (sql: Sql, items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>;
  readonly bytesOf: (item: Item) => number;
}

/** The ways to send statements; all of them wait in the same queue. */
export interface Statements extends Transactional {
  /**
   * Runs work that may wait for row locks: on at most half of the connections, so that a hot row leaves the others to reads and to
   * writes that share statements; and again after a deadlock, a serialization failure or a lock that `NOWAIT` found taken.
   * @throws Contention after the last attempt, and after a lock timeout.
   */
  withLockRetry<T>(work: (database: Transactional) => Promise<T>): Promise<T>;
  /** Adds a kind of work whose items run in batches. */
  batcher<Item, Result>(work: BatchedWork<Item, Result>): Pick<Batcher<Item, Result>, 'add'>;
}

/** The database as a process uses it. */
export interface Database extends Statements {
  /**
   * Resolves when a server accepts writes. It uses a connection of its own.
   * @throws StorageUnavailable, within three seconds, when none does.
   */
  ping(): Promise<void>;
  /** Units of work that have a connection, and that wait for one. */
  readonly load: { readonly active: number; readonly waiting: number };
  /** Waits for running work, at most `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
}

/** Waiting writes of a process may have this many bytes: each of them is in memory several times until it is answered. */
const defaultWaitingBytes = 64 * 1024 * 1024;

/** Work waits so long for a connection, because the statements of a deletion may take so long. While the server does not answer, nothing waits (ServerWatch). */
const maxWaitMs = 30_000;

/** The assumed size of a transaction whose documents are not known. */
const assumedTransactionBytes = 16 * 1024;

/** Opens the pool. Connections are made when they are needed, and made again after an outage. */
export function openDatabase(options: DatabaseOptions): Database {
  const maxConnections = options.poolMax ?? 10;
  const queue = new AdmissionQueue({
    maxRunning: maxConnections,
    maxWaiting: options.maxWaiting ?? 10_000,
    maxWaitingBytes: options.maxWaitingBytes ?? defaultWaitingBytes,
    maxWaitMs,
  });
  const connections = new Connections(options, () =>
    queue.refuseWaiting(new StorageUnavailable('The database does not answer.')),
  );
  const statements = oneByOne(queue, connections, maxConnections);
  const waitingForLocks = oneByOne(queue, connections, Math.max(1, Math.floor(maxConnections / 2)));

  return {
    ...statements,
    // A statement that a deadlock has ended has written nothing.
    rows: <Row extends readonly unknown[]>(text: string, parameters?: readonly Parameter[]) =>
      retrying(() => statements.rows<Row>(text, parameters)),
    withLockRetry: (work) => retrying(() => work(waitingForLocks)),
    batcher: ({ run, bytesOf: bytesOfItem, ...limits }) =>
      new Batcher(queue, limits, connections.using(run), bytesOfItem),
    ping: () => connections.ping(),
    get load() {
      return queue.load;
    },
    async close(graceMs = 5_000) {
      await withinGrace(queue.close(), graceMs);
      await connections.close();
    },
  };
}

/** Statements and transactions that run one by one, on at most so many connections. */
function oneByOne(queue: AdmissionQueue, connections: Connections, maxRunning: number): Transactional {
  const flow = new Batcher<Unit, unknown>(
    queue,
    { maxRunning, maxCount: 1, maxBytes: 0 },
    async ([unit]) => [await connections.use((unit as Unit).run)],
    ({ bytes }) => bytes,
  );
  return {
    rows: <Row extends readonly unknown[]>(text: string, parameters?: readonly Parameter[]) =>
      flow.add({
        bytes: bytesOf(parameters),
        run: (connection) => connections.rows(connection, text, parameters),
      }) as Promise<readonly Row[]>,
    transaction: <T>(
      work: (sql: Sql) => Promise<T>,
      { long = false, bytes = assumedTransactionBytes }: TransactionOptions = {},
    ) =>
      flow.add({
        bytes,
        run: (connection) => connections.transaction(connection, work, long),
      }) as Promise<T>,
  };
}

/** A statement or transaction in the queue. */
interface Unit {
  readonly bytes: number;
  run(connection: Connection): Promise<unknown>;
}

function bytesOf(parameters: readonly Parameter[] = []): number {
  let bytes = 0;
  for (const value of parameters) {
    if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}

async function withinGrace(done: Promise<void>, graceMs: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([done, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
