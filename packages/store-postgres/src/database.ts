import { type Logger, Problem } from '@platform/kernel';
import type { ConnectionSettings, Sql } from './connection.ts';
import { Deadlines } from './deadlines.ts';
import { Pipeline, type RunOn } from './pipeline.ts';
import { Pool } from './pool.ts';
import { translateError } from './sqlstate.ts';
import { runTransaction, type TransactionSql } from './transaction.ts';

/** Settings of the connection pool. Times are milliseconds. */
export interface DatabaseOptions {
  /**
   * With `?pooler=transaction` a pooler in transaction mode (pgbouncer) stands in between. Nothing relies on session state then:
   * statements are not prepared, and the settings of a session have to be set on the database role instead (docs/operations.md).
   */
  readonly url: string;
  /** Connections, at most. */
  readonly poolMax?: number;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** How long a server may be silent beyond the statement timeout before it is given up. */
  readonly answerGraceMs?: number;
  /** Statements and transactions that wait for a connection, at most; what comes on top is refused with `unavailable`. */
  readonly maxWaiting?: number;
  readonly logger?: Logger;
}

/** The database as a process uses it. */
export interface Database extends Sql {
  /** For short reads that wait for no lock: those of the same moment share a connection. */
  readonly reads: Sql;
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. Not retried. */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  /** Connections in use, and callers that wait for one. */
  readonly load: { readonly active: number; readonly waiting: number };
  /** Waits for what runs, at most `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
}

// Not by URL: the driver also takes a list of hosts, which URL does not.
const poolerMark = /([?&])pooler=transaction(?:&|$)/;

/** Whether the URL says that a pooler in transaction mode stands in between. */
export function isPooled({ url }: Pick<DatabaseOptions, 'url'>): boolean {
  return poolerMark.test(url);
}

/** How connections for the options are made. */
export function connectionSettings(options: DatabaseOptions): ConnectionSettings {
  const pooled = isPooled(options);
  return {
    url: options.url.replace(poolerMark, '$1'),
    prepare: !pooled,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    session: sessionParameters(options, pooled),
    onNotice: (notice) => options.logger?.debug('database notice', { notice }),
  };
}

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
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    default_transaction_isolation: 'read committed',
    idle_in_transaction_session_timeout: options.statementTimeoutMs ?? 30_000,
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
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new Pool(connectionSettings(options), {
    permits: options.poolMax ?? 10,
    maxWaiting: options.maxWaiting ?? 10_000,
    maxWaitMs: statementTimeoutMs,
    idleMs: options.idleTimeoutMs ?? 300_000,
    lifetimeMs: 3_600_000,
  });
  // The server ends a statement at its timeout; a server that is not heard of any more is given up soon after.
  const deadlines = new Deadlines(statementTimeoutMs + (options.answerGraceMs ?? 5_000));

  const run: RunOn = async (connection, text, parameters) => {
    try {
      return await deadlines.guard(connection.rows(text, parameters));
    } catch (error) {
      if (error instanceof Problem) connection.abandon();
      throw translateError(error);
    }
  };

  return {
    reads: new Pipeline(pool, run, { maxTogether: 4, maxTenureMs: 1_000 }),
    async rows(text, parameters) {
      const connection = await pool.take();
      try {
        return await run(connection, text, parameters);
      } finally {
        pool.give(connection);
      }
    },
    async transaction(work) {
      const connection = await pool.take();
      try {
        return await runTransaction(connection, deadlines, work);
      } finally {
        pool.give(connection);
      }
    },
    get load() {
      return pool.load;
    },
    async close(graceMs = 5_000) {
      await pool.close(graceMs);
      deadlines.close();
    },
  };
}
