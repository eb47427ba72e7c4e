/**
 * PostgreSQL as a process uses it: connections, the pool, transactions, batches and migrations.
 *
 * The path of a statement, with the limit of each step (times of `DatabaseOptions` in their defaults):
 *
 *     caller
 *       └─ admission queue    10,000 units of work and 64 MiB wait, each at most 30 s; as many run as there are connections, of
 *            │                those that may wait for a row lock half as many
 *            │                reads by name and most writes run in batches: what waits for the same statement shares it
 *            └─ connection    5 s to open; a server in recovery is refused
 *                 └─ deadline 5 s for a read, 9 s for a write; the server cancels the statement 0.5 s earlier
 *
 * A caller that finds the queue full, or waits in it for too long, gets StorageUnavailable: nothing was sent. While the server does not
 * answer on any connection (ServerWatch), callers are refused at once. A write that was sent and not answered is OutcomeUnknown.
 */
export { advisoryLock, loginLock } from './advisory-locks.ts';
export { coalesceReads } from './coalesced-reads.ts';
export { coalesceWrites } from './coalesced-writes.ts';
export { Connection, type Parameter, type Sql, type Statement } from './connection.ts';
export { Connector } from './connector.ts';
export { type Database, openDatabase, type Statements, type Transactional } from './database.ts';
export { connectionSettings, type DatabaseOptions, isPooled } from './database-options.ts';
export { Deadlines } from './deadlines.ts';
export { arrayLiteral, parseArrayLiteral, parseTimestamp } from './literals.ts';
export { findMigrations, migrate, pendingMigrations, readMigrations } from './migrate.ts';
export { statementsIn } from './one-connection.ts';
export { tableSizesText } from './plan-freshness.ts';
export { type LockWaitPolicy, retrying } from './retry.ts';
export { isRetryable, LostRace, sqlState, stateOf, violatedConstraint } from './sqlstate.ts';
