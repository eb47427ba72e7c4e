/** PostgreSQL as a process uses it: connections, the pool, transactions, batches and migrations. */
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
