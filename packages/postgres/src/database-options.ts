import type { Logger } from '@platform/kernel';
import type { ConnectionSettings } from './connection.ts';
import { parseAddress } from './servers.ts';

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
  /** The most units of work that wait for a connection; more are refused with StorageUnavailable. */
  readonly maxWaiting?: number;
  /** The most bytes of their parameters and documents. */
  readonly maxWaitingBytes?: number;
  readonly logger?: Logger;
  /** Whether a server in recovery will do: for tools that only read. */
  readonly acceptStandby?: boolean;
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
