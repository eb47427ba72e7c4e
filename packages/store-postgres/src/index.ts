export { type Database, type DatabaseOptions, openDatabase, type Parameter, type Sql } from './connection.ts';
export { type Drizzle, query } from './drizzle.ts';
export { arrayLiteral } from './literals.ts';
export { type Migration, migrate, pendingMigrations, readMigrations } from './migrate.ts';
export { createFlowStore, createSigningKeyStore } from './operations/oauth/index.ts';
export { retrying } from './retry.ts';
export { isRetryable, sqlState, stateOf, violatedConstraint } from './sqlstate.ts';
export { openStore, type Store } from './store.ts';
export { wakeChannel } from './wake-channel.ts';
