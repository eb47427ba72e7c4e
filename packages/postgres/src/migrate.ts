import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, StorageUnavailable } from '@platform/kernel';
import { tryMigrationLock } from './advisory-locks.ts';
import { concurrentLockTimeoutMs, createConcurrently, isConcurrent } from './concurrent-indexes.ts';
import type { Connection, ConnectionSettings, Sql } from './connection.ts';
import { Connector } from './connector.ts';
import { connectionSettings, type DatabaseOptions, isPooled } from './database-options.ts';
import { isSliced, runSlices } from './sliced-migrations.ts';
import { isRetryable, isTableMissing, translateError } from './sqlstate.ts';

const firstMigration = '0001_resources.sql';
const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;

/** One file of `drizzle/`. */
export interface Migration {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly checksum: string;
}

/**
 * The nearest `drizzle/` at or above `start`: that of the repository for the sources and the build, and that of the image for a
 * deployed application, where this package lies deep in `node_modules`. @throws when there is none.
 */
export function findMigrations(start: URL = new URL('.', import.meta.url)): URL {
  for (let at = start; ; at = new URL('..', at)) {
    const directory = new URL('drizzle/', at);
    if (existsSync(new URL(firstMigration, directory))) return directory;
    if (at.pathname === '/') throw new Error(`no drizzle/${firstMigration} at or above ${start.pathname}`);
  }
}

/** The migrations in order. @throws when two share a number or one is missing, so that a bad merge does not start. */
export async function readMigrations(directory: URL = findMigrations()): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => fileName.test(name)).sort();
  for (const [index, name] of names.entries()) {
    if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`drizzle/${name} is out of sequence`);
  }
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

type MigrationOptions = Pick<DatabaseOptions, 'url' | 'logger'> & {
  /** Ends every wait, and begins no further file. A file that is being applied is given up: the server ends its statement within seconds. */
  readonly stopping?: AbortSignal;
};

/** Pauses and bounds of {@link migrate}, in milliseconds. */
export interface MigrationWaits {
  /** The pause between two attempts: while another replica migrates, and after a lock timeout, so that queued statements can run. */
  readonly pauseMs: number;
  /** The limit for all attempts. The caller tries again afterwards (`startUp` of the API), and old replicas keep working meanwhile. */
  readonly limitMs: number;
}

const defaultWaits: MigrationWaits = { pauseMs: 1_000, limitMs: 1_800_000 };

/**
 * Brings the database up to the newest migration, forward only. Any number of replicas may do it at once: each file is applied
 * by one of them, in a transaction that holds an advisory lock; files of concurrent indexes and of slices are applied while
 * another transaction holds it. Returns the names that this call applied. A database that is ahead of this build is left as it is:
 * an older replica may start again in the middle of an upgrade.
 * @throws when a file that was applied has changed since, and for a server or database that cannot hold the schema;
 *   StorageUnavailable when the locks were not available for too long; the reason of `stopping`.
 */
export async function migrate(
  options: MigrationOptions,
  migrations?: readonly Migration[],
  waits: MigrationWaits = defaultWaits,
): Promise<readonly string[]> {
  const { stopping } = options;
  const wanted = migrations ?? (await readMigrations());
  const connection = await connectWithoutTimeouts(options);
  const forgetStop = abandonAtStop(connection, stopping);
  const until = performance.now() + waits.limitMs;
  const applied: string[] = [];
  try {
    await requireServer(connection);
    for (;;) {
      stopping?.throwIfAborted();
      const step = await tryNext(options, connection, wanted);
      if (step.outcome === 'done') return applied;
      if (step.outcome === 'applied') {
        options.logger?.info('database migrated', { migration: step.name });
        applied.push(step.name);
      } else {
        if (performance.now() > until) throw waitedTooLong(step.cause);
        options.logger?.info('migration waits for a lock', { reason: step.reason });
        await sleep(waits.pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  } catch (error) {
    stopping?.throwIfAborted();
    // A fault of the file, where it is an outage of other statements.
    if (isTableMissing(error)) throw error;
    throw translateError(error);
  } finally {
    forgetStop();
    await connection.close();
  }
}

/** The names of the migrations that are not applied yet. A replica is ready when there are none. */
export async function pendingMigrations(
  sql: Sql,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  try {
    const rows = await sql.rows<readonly [string, string]>('select name, checksum from platform_migrations');
    return unapplied(migrations, new Map(rows)).map((migration) => migration.name);
  } catch (error) {
    if (isTableMissing(error)) return migrations.map((migration) => migration.name);
    throw error;
  }
}

/**
 * Refuses a server older than 15, a database with another encoding than UTF-8, which would lose documents, a role with `array_nulls`
 * off, for which a null in an array is the text "NULL", and one that may not create tables: since PostgreSQL 15, only the owner of a
 * database may in its schema `public`.
 */
async function requireServer(connection: Connection): Promise<void> {
  const [row] = await connection.rows<
    readonly [number, string, string, boolean, string, string | null, boolean | null]
  >(
    `select current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding'),
       current_setting('array_nulls')::bool, quote_ident(current_user), quote_ident(current_schema()),
       has_schema_privilege(current_schema(), 'create')`,
  );
  const [number, version, encoding, nulls, role, schema, mayCreate] =
    row ?? ([0, 'unknown', 'unknown', false, 'unknown', null, null] as const);
  if (number < 150_000) throw new Error(`PostgreSQL 15 or newer is needed, and this is ${version}`);
  if (encoding !== 'UTF8')
    throw new Error(`the database must be encoded in UTF8, and this one is in ${encoding}`);
  if (!nulls) {
    throw new Error(
      'array_nulls is off, and must be on: set it with "alter role ... set array_nulls = on" for the role of database.url',
    );
  }
  if (schema === null) {
    throw new Error(
      `no schema in the search_path of the role ${role} exists: create one, or set it with "alter role ${role} set search_path = ..."`,
    );
  }
  if (mayCreate !== true) {
    throw new Error(
      `the role ${role} may not create tables in the schema ${schema}: allow it with "grant create on schema ${schema} to ${role}"`,
    );
  }
}

type Step =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'applied'; readonly name: string }
  | { readonly outcome: 'busy'; readonly reason: string; readonly cause?: unknown };

/** Applies the next file, unless another replica migrates or a lock cannot be acquired at once. */
async function tryNext(
  options: MigrationOptions,
  connection: Connection,
  wanted: readonly Migration[],
): Promise<Step> {
  try {
    await connection.script(beginText);
    const step = await nextIn(options, connection, wanted);
    await connection.rows(step.outcome === 'busy' ? 'rollback' : 'commit');
    return step;
  } catch (error) {
    if (!isRetryable(error)) throw error;
    await connection.rows('rollback');
    return { outcome: 'busy', reason: 'a table is in use', cause: error };
  }
}

/**
 * All statements on a table queue behind one that waits for ACCESS EXCLUSIVE, so it must not wait long. It is set for the transaction, because
 * settings of the session do not work behind a pooler.
 */
const beginText =
  "begin; set local lock_timeout = '500ms'; set local statement_timeout = 0; " +
  'set local idle_in_transaction_session_timeout = 0';

async function nextIn(
  options: MigrationOptions,
  connection: Connection,
  wanted: readonly Migration[],
): Promise<Step> {
  const [[locked] = [false]] = await connection.rows<readonly [boolean]>(`select ${tryMigrationLock}`);
  if (!locked) return { outcome: 'busy', reason: 'another replica migrates' };
  await connection.rows(
    'create table if not exists platform_migrations (' +
      'name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())',
  );
  const rows = await connection.rows<readonly [string, string]>(
    'select name, checksum from platform_migrations',
  );
  const next = unapplied(wanted, new Map(rows))[0];
  if (next === undefined) return { outcome: 'done' };
  if (isConcurrent(next.text) || isSliced(next.text)) await applyOutside(options, connection, next);
  else await connection.script(next.text);
  await connection.rows('insert into platform_migrations (name, checksum) values ($1, $2)', [
    next.name,
    next.checksum,
  ]);
  return { outcome: 'applied', name: next.name };
}

/**
 * The transaction with the advisory lock stays open and idle meanwhile: without a snapshot, which `create index concurrently` would
 * wait for.
 */
async function applyOutside(
  options: MigrationOptions,
  connection: Connection,
  migration: Migration,
): Promise<void> {
  const outside = await connectWithoutTimeouts(options);
  const forgetStop = abandonAtStop(outside, options.stopping);
  try {
    // The portal of the statement before keeps its snapshot until the next one; a simple query closes its own.
    await connection.script('select 1');
    if (isSliced(migration.text)) await runSlices(migration, outside);
    else await createConcurrently(migration, { outside, inside: connection, pooled: isPooled(options) });
  } finally {
    forgetStop();
    await outside.close();
  }
}

/**
 * Closes the connection when the process is to stop, because a process that waits for the end of a statement is killed. The server rolls the
 * file back, or the next start does it again as after a crash. Returns how to end that.
 */
function abandonAtStop(connection: Connection, stopping: AbortSignal | undefined): () => void {
  const abandon = () => connection.abandon();
  stopping?.addEventListener('abort', abandon);
  return () => stopping?.removeEventListener('abort', abandon);
}

/** A connection without a statement timeout: an index on a large table takes minutes. */
async function connectWithoutTimeouts(options: MigrationOptions): Promise<Connection> {
  const settings = connectionSettings({
    ...options,
    statementTimeoutMs: 0,
    lockTimeoutMs: concurrentLockTimeoutMs,
  });
  const connector = new Connector({ ...settings, onNotice: logWarnings(options.logger) });
  try {
    return await connector.open();
  } catch (error) {
    throw translateError(error);
  }
}

/** The warnings of a migration name rows that an operator must look at. Its notices, such as "already exists", are dropped. */
function logWarnings(logger?: Logger): ConnectionSettings['onNotice'] {
  return (notice, severity) => {
    if (severity === 'WARNING') logger?.warn('database migration warns', { notice });
    else logger?.debug('database notice', { notice });
  };
}

function waitedTooLong(cause: unknown): StorageUnavailable {
  return new StorageUnavailable('The database cannot be migrated: a lock is held for too long.', cause);
}

function unapplied(wanted: readonly Migration[], applied: ReadonlyMap<string, string>): readonly Migration[] {
  return wanted.filter((migration) => {
    const checksum = applied.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Error(`drizzle/${migration.name} was changed after it was applied`);
    }
    return checksum === undefined;
  });
}
