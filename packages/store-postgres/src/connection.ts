import type { Logger } from '@platform/kernel';
import postgres from 'postgres';
import { Deadlines } from './deadlines.ts';
import { Gate } from './gate.ts';
import { parseTimestamp } from './literals.ts';
import { translateError } from './sqlstate.ts';
import { runTransaction } from './transaction.ts';

/** A parameter in the form that the statement's cast expects; arrays go as {@link arrayLiteral} text. */
export type Parameter = string | number | boolean | Uint8Array | null;

/**
 * Runs SQL, on any connection of the pool or inside one transaction.
 * Documents (`json`, `jsonb`) come as raw text, `bigint` as number, `timestamptz` as RFC 3339 text in UTC with milliseconds.
 */
export interface Sql {
  /**
   * Runs one statement, prepared once a connection, and returns its rows as arrays in the order of its columns.
   * @throws Problem `unavailable` when the database cannot be reached; the driver's error with its SQLSTATE otherwise.
   */
  rows<Row extends readonly unknown[]>(
    text: string,
    parameters?: readonly Parameter[],
  ): Promise<readonly Row[]>;
}

/** Settings of the connection pool. Times are milliseconds. */
export interface DatabaseOptions {
  readonly url: string;
  /** Connections, at most. */
  readonly poolMax?: number;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Statements and transactions that wait for a connection, at most; what comes on top is refused with `unavailable`. */
  readonly maxWaiting?: number;
  /**
   * Whether a pooler in transaction mode stands in between (pgbouncer): nothing then relies on session state, so statements are not
   * prepared, and the timeouts above must be set on the database role (`alter role ... set statement_timeout = ...`).
   */
  readonly transactionPooler?: boolean;
  readonly logger?: Logger;
}

/** The connection pool. */
export interface Database extends Sql {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. Not retried. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Connections in use, and callers that wait for one. */
  readonly load: { readonly active: number; readonly waiting: number };
  /** Waits for what runs, at most `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
}

const asText = (value: string) => value;

// The driver would parse documents and make Dates; both lose what was stored (performance guide: and cost half the speed).
const types = {
  json: { to: 114, from: [114, 3802], serialize: asText, parse: asText },
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  timestamptz: { to: 1184, from: [1184], serialize: asText, parse: parseTimestamp },
};

/** What a session is started with. A pooler hands on only the first three. */
function sessionParameters(options: DatabaseOptions): Record<string, string | number> {
  const always = {
    application_name: options.applicationName ?? 'platform',
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
  };
  if (options.transactionPooler) return always;
  return {
    ...always,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
    idle_in_transaction_session_timeout: options.statementTimeoutMs ?? 30_000,
    // Statements are small and planned once; compiling them costs more than they do.
    jit: 'off',
  };
}

/** The driver with our types and session; nothing connects before the first statement. */
export function connectDriver(options: DatabaseOptions, max: number): postgres.Sql<Record<string, never>> {
  return postgres(options.url, {
    max,
    types,
    prepare: !options.transactionPooler,
    fetch_types: false,
    connect_timeout: (options.connectTimeoutMs ?? 5_000) / 1_000,
    idle_timeout: (options.idleTimeoutMs ?? 300_000) / 1_000,
    keep_alive: 10,
    // An outage is over when the database says so, not seconds later.
    backoff: (failures: number) => Math.min(0.05 * 2 ** failures, 0.5),
    connection: sessionParameters(options),
    onnotice: (notice) => options.logger?.debug('database notice', { notice: notice['message'] }),
  }) as unknown as postgres.Sql<Record<string, never>>;
}

/** Opens the pool. Connections are made when they are needed, and made again after an outage. */
export function openDatabase(options: DatabaseOptions): Database {
  const poolMax = options.poolMax ?? 10;
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const driver = connectDriver(options, poolMax);
  const gate = new Gate({
    permits: poolMax,
    maxWaiting: options.maxWaiting ?? 10_000,
    maxWaitMs: statementTimeoutMs,
  });
  // The server ends a statement at its timeout; a server that is not heard of any more is given up soon after.
  const deadlines = new Deadlines(statementTimeoutMs + 5_000);

  return {
    async rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
      if (!gate.tryEnter()) await gate.enter();
      const statement = driver.unsafe(text, parameters as Parameter[], { prepare: true }).values();
      const leave = () => gate.leave();
      statement.then(leave, leave);
      try {
        return (await deadlines.guard(statement)) as unknown as readonly Row[];
      } catch (error) {
        throw translateError(error);
      }
    },
    async transaction(work) {
      if (!gate.tryEnter()) await gate.enter();
      return runTransaction(driver, deadlines, work, () => gate.leave());
    },
    get load() {
      return gate.load;
    },
    async close(graceMs = 5_000) {
      await driver.end({ timeout: graceMs / 1_000 });
      deadlines.close();
    },
  };
}
