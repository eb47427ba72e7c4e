import type { Logger } from '@platform/kernel';
import type { Connection, ConnectionSettings, Parameter, Sql } from './connection.ts';
import { Connector } from './connector.ts';
import { Deadlines } from './deadlines.ts';
import { isReadOnly } from './is-read-only.ts';
import { PlanFreshness, tableSizesText } from './plan-freshness.ts';
import { Pool } from './pool.ts';
import { ServerWatch } from './server-watch.ts';
import { parseAddress } from './servers.ts';
import { sqlState, stateOf, translateError } from './sqlstate.ts';
import { runTransaction } from './transaction.ts';

/** Settings of the connection pool. Times are milliseconds. */
export interface DatabaseOptions {
  /**
   * With `?pooler=transaction` a pooler in transaction mode (pgbouncer) stands in between. Nothing relies on session state then:
   * statements are not prepared, and the settings of a session have to be set on the database role instead (docs/databases.md).
   */
  readonly url: string;
  /** Connections, at most. */
  readonly poolMax?: number;
  readonly applicationName?: string;
  /** How long a read may take, with the way to the server and back, before it is given up. */
  readonly readTimeoutMs?: number;
  /** The same for a statement that writes. The server cancels it a little earlier, so that its outcome is known. */
  readonly writeTimeoutMs?: number;
  /** What the server allows a statement; by default a little less than `writeTimeoutMs`. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** After how long without use a connection is asked whether it still lives. */
  readonly probeAfterMs?: number;
  /** After how long without an answer the server is asked whether it still lives. */
  readonly suspectAfterMs?: number;
  /** How often the sizes of the tables are looked at, while there are requests: plans are made again when one has doubled. */
  readonly planCheckMs?: number;
  /** Statements and transactions that wait for a connection, at most; what comes on top is refused with `unavailable`. */
  readonly maxWaiting?: number;
  readonly logger?: Logger;
  /** Whether a server in recovery will do: for tools that only read. */
  readonly acceptStandby?: boolean;
}

/** How a transaction differs from others. */
export interface TransactionOptions {
  /** For statements that touch as many rows as a tree has. */
  readonly long?: boolean;
}

/** What a statement of a long transaction may take, whatever `writeTimeoutMs` is. */
const longStatementMs = 30_000;

/** The database as a process uses it. */
export interface Database extends Sql {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. Not retried. */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Resolves when a server takes writes, on a connection that requests never use.
   * @throws StorageUnavailable, within three seconds, when none does.
   */
  ping(): Promise<void>;
  /** Connections in use, and callers that wait for one. */
  readonly load: { readonly active: number; readonly waiting: number };
  /** Waits for what runs, at most `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
}

/** Whether the URL says that a pooler in transaction mode stands in between. */
export function isPooled({ url }: Pick<DatabaseOptions, 'url'>): boolean {
  return parseAddress(url).pooled;
}

/** How connections for the options are made. */
export function connectionSettings(options: DatabaseOptions): ConnectionSettings {
  const address = parseAddress(options.url);
  return {
    address,
    prepare: !address.pooled,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    session: sessionParameters(options, address.pooled),
    onNotice: (notice) => options.logger?.debug('database notice', { notice }),
    acceptStandby: options.acceptStandby ?? false,
  };
}

const timeoutsOf = ({
  readTimeoutMs = 5_000,
  writeTimeoutMs = 9_000,
  statementTimeoutMs,
}: DatabaseOptions) => ({
  readTimeoutMs,
  writeTimeoutMs,
  statementTimeoutMs: statementTimeoutMs ?? Math.max(writeTimeoutMs - 500, Math.ceil(writeTimeoutMs / 2)),
});

/** A pooler hands on only the first three. */
function sessionParameters(options: DatabaseOptions, pooled: boolean): Record<string, string | number> {
  const always = {
    application_name: options.applicationName ?? 'platform',
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
  };
  if (pooled) return always;
  return {
    ...always,
    statement_timeout: timeoutsOf(options).statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    default_transaction_isolation: 'read committed',
    idle_in_transaction_session_timeout: 30_000,
    // The server notices clients that are gone, and what they have locked is free again: those that broke off within seconds, those
    // that vanished without a word within a minute.
    client_connection_check_interval: 2_000,
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 30_000,
    // Statements are small and planned once. A custom plan looks cheaper for arrays of known length, so the server would plan anew
    // for each call (a read of one row took 320 us instead of 60); and compiling them costs more than they do.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
    // A statement that is planned while the table is small scans it, and keeps doing so when the table has grown.
    enable_seqscan: 'off',
    // With the default of 4 the order of the table looks cheaper than that of an index: a page of a parent that was taken for small
    // was made by sorting all that was left of its children, 4,200 to show 100.
    random_page_cost: 1,
    // A deletion sorts the uids of all dependents before it locks them: 125,000 take 8 MB, and went to disk with the default of 4.
    work_mem: '16MB',
  };
}

/** Opens the pool. Connections are made when they are needed, and made again after an outage. */
export function openDatabase(options: DatabaseOptions): Database {
  const { readTimeoutMs, writeTimeoutMs } = timeoutsOf(options);
  const connector = new Connector(connectionSettings(options));
  const watch = new ServerWatch(connector, () => {
    options.logger?.warn('the database does not answer');
    pool.dropIdle();
    pool.refuseWaiting();
    deadlines.expireAll();
  });
  const pool = new Pool(
    connector,
    {
      permits: options.poolMax ?? 10,
      maxWaiting: options.maxWaiting ?? 10_000,
      // With the time to connect, it stays below ten seconds.
      maxWaitMs: writeTimeoutMs / 2,
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
    if (state === 'DEADLINE') connection.abandon();
    // The idle ones may lead to the same silence, or to the same standby.
    if (state === 'DEADLINE' || state === sqlState.readOnlyTransaction) pool.dropIdle();
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
      throw translateError(error, !reading);
    }
  };

  const sizesOn = async (connection: Connection) => {
    const [row] = await run<readonly [string]>(connection, true, tableSizesText);
    return row?.[0] ?? '';
  };
  // Behind a pooler statements are not prepared.
  const connections = isPooled(options) ? pool : new PlanFreshness(pool, sizesOn, options.planCheckMs ?? 250);

  return {
    async rows(text, parameters) {
      const connection = await connections.take();
      try {
        return await run(connection, isReadOnly(text), text, parameters);
      } finally {
        connections.give(connection);
      }
    },
    async transaction(work, { long = false } = {}) {
      const connection = await connections.take();
      try {
        return await runTransaction(
          connection,
          {
            deadlines,
            limitMs: long ? Math.max(writeTimeoutMs, longStatementMs + 1_000) : writeTimeoutMs,
            statementTimeoutMs: long && writeTimeoutMs <= longStatementMs ? longStatementMs : null,
            answered,
            failed: (error) => failed(connection, error),
          },
          work,
        );
      } finally {
        connections.give(connection);
      }
    },
    ping: () => watch.ping(),
    get load() {
      return pool.load;
    },
    async close(graceMs = 5_000) {
      await pool.close(graceMs);
      watch.close();
      deadlines.close();
    },
  };
}
