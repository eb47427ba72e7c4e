import type { Logger } from '@platform/kernel';
import type { ConnectionSettings } from './connection.ts';
import { parseAddress } from './servers.ts';

/** Settings of the connection pool. Times are milliseconds. */
export interface DatabaseOptions {
  /**
   * With `?pooler=transaction` statements go through a pooler in transaction mode (pgbouncer), and nothing relies on session state:
   * statements are not prepared, and the settings of a session have to be set on the database role instead (docs/databases.md).
   */
  readonly url: string;
  /** The most connections of the process. */
  readonly poolMax?: number;
  readonly applicationName?: string;
  /** How long a caller waits for the result of a read. */
  readonly readTimeoutMs?: number;
  /** How long a caller waits for the result of a write. The server cancels it a little earlier, so that its outcome is known. */
  readonly writeTimeoutMs?: number;
  /** `statement_timeout` of the server; by default a little less than `writeTimeoutMs`. */
  readonly statementTimeoutMs?: number;
  /** `lock_timeout` of the server; by default half of `writeTimeoutMs`, so that a batch and then a write alone may wait for a lock, and at most 5 s. */
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** How long a connection may be idle before it is probed. */
  readonly probeAfterMs?: number;
  /** How long a statement may run before the server is probed. */
  readonly suspectAfterMs?: number;
  /** How often the sizes of the tables are checked while there are requests: a table that has doubled makes connections plan again. */
  readonly planCheckMs?: number;
  /** The most units of work that wait for a connection; more are refused with StorageUnavailable. */
  readonly maxWaiting?: number;
  /** The most bytes of their parameters and documents. */
  readonly maxWaitingBytes?: number;
  readonly logger?: Logger;
  /** Whether a server in recovery is accepted, for tools that only read. */
  readonly acceptStandby?: boolean;
}

/** Whether the URL leads to a pooler in transaction mode. */
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

/** The timeouts of reads and writes; the server cancels a statement before its caller gives up. */
export const timeoutsOf = ({
  readTimeoutMs = 5_000,
  writeTimeoutMs = 9_000,
  statementTimeoutMs,
}: DatabaseOptions) => ({
  readTimeoutMs,
  writeTimeoutMs,
  statementTimeoutMs: statementTimeoutMs ?? Math.max(writeTimeoutMs - 500, Math.ceil(writeTimeoutMs / 2)),
});

/** A pooler passes on only the first four. */
function sessionParameters(options: DatabaseOptions, pooled: boolean): Record<string, string | number> {
  const always = {
    application_name: options.applicationName ?? 'platform',
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
    // An old application on the same server may need it off; PostgreSQL then refuses statements with escapes of Unicode (U&'...').
    standard_conforming_strings: 'on',
  };
  if (pooled) return always;
  return {
    ...always,
    statement_timeout: timeoutsOf(options).statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? Math.min(5_000, Math.ceil(timeoutsOf(options).writeTimeoutMs / 2)),
    default_transaction_isolation: 'read committed',
    idle_in_transaction_session_timeout: 30_000,
    // The server releases the locks of clients that are gone: within seconds when the connection was closed, within a minute when the
    // network is silent.
    client_connection_check_interval: 2_000,
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 30_000,
    // Statements are small and planned once. Custom plans look cheaper for arrays of known length, so the server would plan each call
    // again (docs/decisions/0012-hot-statements-are-prepared-sql.md); and JIT compilation costs more than it saves.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
    // A statement that is planned while the table is small scans it, and keeps doing so when the table has grown.
    enable_seqscan: 'off',
    // With the default, sorting all remaining children looks cheaper than reading a page of them in index order.
    random_page_cost: 1,
    // A deletion sorts the uids of all dependents before it locks them, which goes to disk with the default.
    work_mem: '16MB',
  };
}
