import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { runToEnd, type Surroundings } from './run.ts';

/** Name of the role and of the database that the platform uses. The role is no superuser. */
export const databaseName = 'platform';

/** A data directory that is ready to be served, with the password of its one login role. */
export interface Cluster extends Surroundings {
  readonly password: string;
}

/** Where the password of the login role is kept. */
export function passwordFileIn(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

/** Where the platform's database is on this machine. */
export function urlOf(password: string, port: number): string {
  return `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/**
 * Finds or makes the cluster in `<dataDir>/postgres`: UTF-8, C locale, no login but the platform's role
 * with its password over loopback. The password is kept in `<dataDir>/postgres-password`, mode 0600.
 */
export function prepareCluster(
  dataDir: string,
  binaries: Binaries,
  account: Account | undefined,
  durable: boolean,
): Cluster {
  const where: Surroundings = { account, clusterDir: join(dataDir, 'postgres') };
  const passwordFile = passwordFileIn(dataDir);
  if (!existsSync(where.clusterDir)) return create(where, binaries, passwordFile, durable);
  checkMajor(where.clusterDir, binaries);
  const kept = existsSync(passwordFile) ? readFileSync(passwordFile, 'utf8').trim() : undefined;
  return { ...where, password: kept ?? resetPassword(where, binaries, passwordFile) };
}

function checkMajor(clusterDir: string, { major }: Binaries): void {
  const file = join(clusterDir, 'PG_VERSION');
  if (!existsSync(file)) throw new EmbeddedPostgresError(`${clusterDir} is not a PostgreSQL data directory`);
  const found = readFileSync(file, 'utf8').trim();
  if (found === major) return;
  throw new EmbeddedPostgresError(
    `${clusterDir} holds data of PostgreSQL ${found}, and this release embeds PostgreSQL ${major}: ` +
      'dump it with the earlier release and restore it into a new database.data_dir (docs/running.md)',
  );
}

// Made under another name and renamed when whole: a start that is cut off leaves no half cluster behind.
function create(where: Surroundings, binaries: Binaries, passwordFile: string, durable: boolean): Cluster {
  const { account, clusterDir } = where;
  const draft: Surroundings = { account, clusterDir: `${clusterDir}.new` };
  rmSync(draft.clusterDir, { recursive: true, force: true });
  mkdirSync(draft.clusterDir, { mode: 0o700 });
  if (account !== undefined) chownSync(draft.clusterDir, account.uid, account.gid);
  const forTests = durable ? [] : ['--no-sync', '--no-data-checksums'];
  const options = ['-U', 'postgres', '-A', 'reject', '-E', 'UTF8', '--locale=C', ...forTests];
  runToEnd(binaries.initdb, options, draft);
  const password = newPassword();
  administer(draft, binaries, [
    `create role ${databaseName} login createdb password '${password}'`,
    `create database ${databaseName} owner ${databaseName}`,
  ]);
  const access = 'host all all 127.0.0.1/32 scram-sha-256\n';
  writeFileSync(join(draft.clusterDir, 'pg_hba.conf'), access);
  keep(passwordFile, password);
  renameSync(draft.clusterDir, clusterDir);
  return { ...where, password };
}

function resetPassword(where: Surroundings, binaries: Binaries, passwordFile: string): string {
  const password = newPassword();
  administer(where, binaries, [`alter role ${databaseName} password '${password}'`]);
  keep(passwordFile, password);
  return password;
}

/** Base64url, so that SQL and a URL need no escapes. */
function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function keep(file: string, password: string): void {
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

// Statements go through standard input: a password on a command line could be read by everyone.
function administer(where: Surroundings, binaries: Binaries, statements: readonly string[]): void {
  const input = statements.map((statement) => `${statement}\n`).join('');
  const { stderr } = runToEnd(
    binaries.postgres,
    ['--single', '-c', 'log_checkpoints=off', 'postgres'],
    where,
    input,
  );
  const failed = /(?:ERROR|FATAL): {2}(.*)/.exec(stderr);
  if (failed !== null) throw new EmbeddedPostgresError(`the cluster cannot be set up: ${failed[1]}`);
}
