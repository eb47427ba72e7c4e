/**
 * PostgreSQL as a process uses it: connections, the pool, transactions, batches and migrations.
 *
 * The path of a statement, with the limit of each step (times of `DatabaseOptions` in their defaults):
 *
 *     caller
 *       └─ batcher             only reads by name and writes that batch: 10,000 waiting, 30 s in the queue
 *            └─ Patience       only statements that may wait for a row lock: half of the connections, 10,000 waiting
 *                 └─ pool      10 connections, 10,000 waiting for one, at most half of the write timeout
 *                      └─ connection   5 s to open; a server in recovery is refused
 *                           └─ deadline   5 s for a read, 9 s for a write; the server ends the statement 0.5 s earlier
 *
 * A caller that finds a queue full, or waits too long in one, gets `unavailable`: nothing was sent. While the server is silent (no answer
 * for 2 s on any connection, ServerWatch), callers are refused at once. A write that was sent and not answered is `outcome_unknown`.
 */
export { advisoryLock } from './advisory-locks.ts';
export { coalesceReads } from './coalesced-reads.ts';
export { coalesceWrites } from './coalesced-writes.ts';
export { Connection, type Parameter, type Sql, type Statement } from './connection.ts';
export { Connector } from './connector.ts';
export {
  connectionSettings,
  type Database,
  type DatabaseOptions,
  isPooled,
  openDatabase,
} from './database.ts';
export { Deadlines } from './deadlines.ts';
export { arrayLiteral, parseArrayLiteral, parseTimestamp } from './literals.ts';
export { type Migration, migrate, pendingMigrations, readMigrations } from './migrate.ts';
export { createPatience, type LockWaitPolicy, type Patience } from './patience.ts';
export { tableSizesText } from './plan-freshness.ts';
export { retrying } from './retry.ts';
export { isRetryable, sqlState, stateOf, violatedConstraint } from './sqlstate.ts';
