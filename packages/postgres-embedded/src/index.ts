export { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
export { EmbeddedPostgresError } from './error.ts';
export { processIdentity } from './processes.ts';
export { runningUrl } from './running-url.ts';
export type { RunningServer } from './server.ts';
