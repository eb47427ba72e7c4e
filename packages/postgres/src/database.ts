import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '@platform/kernel';
import { AdmissionQueue } from './admission-queue.ts';
import { Batcher, type BatchLimits } from './batcher.ts';
import type { Connection, Parameter, Sql } from './connection.ts';
import { Connector } from './connector.ts';
import { connectionSettings, type DatabaseOptions, isPooled, timeoutsOf } from './database-options.ts';
import { Deadlines, deadlineCode } from './deadlines.ts';
import { PlanFreshness, tableSizesText } from './plan-freshness.ts';
import { Pool } from './pool.ts';
import { retrying } from './retry.ts';
import { ServerWatch } from './server-watch.ts';
import { isLockTimeout, sqlState, stateOf, translateError } from './sqlstate.ts';
import { runTransaction } from './transaction.ts';

/** How a transaction differs from others. */
export interface TransactionOptions {
  /** For statements that touch as many rows as a tree has. */
  readonly long?: boolean;
  /** The approximate size of the documents that `work` holds while it waits for a connection. */
  readonly bytes?: number;
}

/** The statement timeout of long transactions, whatever `writeTimeoutMs` is. */
const longStatementMs = 30_000;

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
   * writes that share statements; and again after a deadlock or a serialization failure.
   * @throws Contention after the last attempt, and after a lock timeout.
   */
  withLockRetry<T>(work: (database: Transactional) => Promise<T>): Promise<T>;
  /** Adds a kind of work whose items run in batches; the function runs one item. */
  batcher<Item, Result>(work: BatchedWork<Item, Result>): (item: Item) => Promise<Result>;
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

/** As long as the statements of a deletion may take, which others wait for. While the server does not answer, nothing waits (ServerWatch). */
const maxWaitMs = 30_000;

/** The assumed size of a transaction whose documents are not known. */
const assumedTransactionBytes = 16 * 1024;

/** Opens the pool. Connections are made when they are needed, and made again after an outage. */
export function openDatabase(options: DatabaseOptions): Database {
  const { readTimeoutMs, writeTimeoutMs } = timeoutsOf(options);
  const maxConnections = options.poolMax ?? 10;
  const connector = new Connector(connectionSettings(options));
  const queue = new AdmissionQueue({
    maxRunning: maxConnections,
    maxWaiting: options.maxWaiting ?? 10_000,
    maxWaitingBytes: options.maxWaitingBytes ?? defaultWaitingBytes,
    maxWaitMs,
  });
  const watch = new ServerWatch(connector, () => {
    options.logger?.warn('the database does not answer');
    pool.dropIdle();
    queue.refuseWaiting(new StorageUnavailable('The database does not answer.'));
    deadlines.expireAll();
  });
  const pool = new Pool(
    connector,
    {
      idleMs: options.idleTimeoutMs ?? 300_000,
      lifetimeMs: 3_600_000,
      probeAfterMs: options.probeAfterMs ?? 5_000,
    },
    { isSilent: () => watch.silent, guard: (opening) => deadlines.guard(opening) },
  );
  const deadlines = new Deadlines(writeTimeoutMs, {
    afterMs: options.suspectAfterMs ?? 2_000,
    onSlow: () => watch.suspect(),
  });
  const answered = () => watch.answered();

  const failed = (connection: Connection, error: unknown) => {
    const state = stateOf(error);
    if (state === deadlineCode) connection.abandon();
    // The idle connections may lead to the same server.
    if (state === deadlineCode || state === sqlState.readOnlyTransaction) pool.dropIdle();
  };

  const run = async <Row extends readonly unknown[]>(
    connection: Connection,
    reading: boolean,
    text: string,
    parameters?: readonly Parameter[],
  ) => {
    try {
      const limitMs = reading ? readTimeoutMs : writeTimeoutMs;
      const rows = await deadlines.guard(connection.rows<Row>(text, parameters), limitMs);
      answered();
      return rows;
    } catch (error) {
      failed(connection, error);
      // A read needs no lock of its own: someone has locked the whole table.
      if (reading && isLockTimeout(error)) throw new StorageUnavailable('The database took too long.', error);
      throw translateError(error, !reading);
    }
  };

  const sizesOn = async (connection: Connection) => {
    const [row] = await run<readonly [string]>(connection, true, tableSizesText);
    return row?.[0] ?? '';
  };
  // Behind a pooler statements are not prepared.
  const connections = isPooled(options) ? pool : new PlanFreshness(pool, sizesOn, options.planCheckMs ?? 250);

  const onConnection = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connections.acquire();
    try {
      return await work(connection);
    } finally {
      connections.release(connection);
    }
  };

  const sqlOn = (connection: Connection): Sql => ({
    rows: (text, parameters) => run(connection, isReadOnly(text), text, parameters),
  });

  /** Statements and transactions that run one by one, on at most so many connections. */
  const oneByOne = (maxRunning: number): Transactional => {
    const flow = new Batcher<Unit, unknown>(
      queue,
      { maxRunning, maxCount: 1, maxBytes: 0 },
      async ([unit]) => [await onConnection((unit as Unit).run)],
      ({ bytes }) => bytes,
    );
    return {
      rows: <Row extends readonly unknown[]>(text: string, parameters?: readonly Parameter[]) =>
        flow.add({
          bytes: bytesOf(parameters),
          run: (connection) => run(connection, isReadOnly(text), text, parameters),
        }) as Promise<readonly Row[]>,
      transaction: <T>(
        work: (sql: Sql) => Promise<T>,
        { long = false, bytes = assumedTransactionBytes }: TransactionOptions = {},
      ) =>
        flow.add({
          bytes,
          run: (connection) =>
            runTransaction(
              connection,
              {
                deadlines,
                limitMs: long ? Math.max(writeTimeoutMs, longStatementMs + 1_000) : writeTimeoutMs,
                statementTimeoutMs: long && writeTimeoutMs <= longStatementMs ? longStatementMs : null,
                answered,
                failed: (error) => failed(connection, error),
              },
              work,
            ),
        }) as Promise<T>,
    };
  };
  const waitingForLocks = oneByOne(Math.max(1, Math.floor(maxConnections / 2)));

  return {
    ...oneByOne(maxConnections),
    withLockRetry: (work) => retrying(() => work(waitingForLocks)),
    batcher({ run: runBatch, bytesOf: bytesOfItem, ...limits }) {
      const batcher = new Batcher(
        queue,
        limits,
        (items: readonly Parameters<typeof bytesOfItem>[0][]) =>
          onConnection((connection) => runBatch(sqlOn(connection), items)),
        bytesOfItem,
      );
      return (item) => batcher.add(item);
    },
    ping: () => watch.ping(),
    get load() {
      return queue.load;
    },
    async close(graceMs = 5_000) {
      await withinGrace(queue.close(), graceMs);
      await pool.close();
      watch.close();
      deadlines.close();
    },
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

/** Words of statements that write or lock, and of functions that do. */
const writing =
  /\b(?:insert|update|delete|merge|truncate|call|do|lock|notify|pg_notify|nextval|setval|create|alter|drop|pg_\w*advisory\w*)\b/i;

// One entry for each text of this build; those of lists differ by the number of their parameters.
const maxKnown = 2_000;
const known = new Map<string, boolean>();

/** Whether a statement only reads, so that it may be repeated. False in doubt: a word in a literal counts too. */
export function isReadOnly(text: string): boolean {
  let answer = known.get(text);
  if (answer === undefined) {
    answer = /^\s*(?:select|with|show|values)\b/i.test(text) && !writing.test(text);
    if (known.size < maxKnown) known.set(text, answer);
  }
  return answer;
}
