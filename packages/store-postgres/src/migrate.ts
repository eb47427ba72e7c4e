import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Logger } from '@platform/kernel';
import { advisoryLock } from './advisory-locks.ts';
import type { Connection, Sql } from './connection.ts';
import { Connector } from './connector.ts';
import { connectionSettings, type DatabaseOptions } from './database.ts';
import { sqlState, stateOf, translateError } from './sqlstate.ts';

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

/**
 * Brings the database up to the newest migration, forward only. Any number of replicas may do it at once: each file is applied
 * by one of them, in a transaction that holds an advisory lock. Returns the names that this call applied. A database that
 * is ahead of this build is left as it is: an older replica may start again in the middle of an upgrade.
 * @throws when a file that was applied has changed since, and for a server or database that cannot hold the schema.
 */
export async function migrate(
  options: Pick<DatabaseOptions, 'url'> & { readonly logger?: Logger },
  migrations?: readonly Migration[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations());
  // Without the timeouts of a serving session: a replica waits for as long as another one migrates.
  const connector = new Connector(
    connectionSettings({ ...options, statementTimeoutMs: 0, lockTimeoutMs: 0 }),
  );
  const connection = await connector.open().catch((error) => {
    throw translateError(error);
  });
  const applied: string[] = [];
  try {
    await requireServer(connection);
    let next = await applyNext(connection, wanted);
    for (; next !== null; next = await applyNext(connection, wanted)) {
      options.logger?.info('database migrated', { migration: next });
      applied.push(next);
    }
    return applied;
  } catch (error) {
    throw translateError(error);
  } finally {
    await connection.close();
  }
}

/** The names of the migrations that the database still lacks; readiness waits for none. */
export async function pendingMigrations(
  sql: Sql,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  try {
    const rows = await sql.rows<readonly [string, string]>('select name, checksum from platform_migrations');
    return unapplied(migrations, new Map(rows)).map((migration) => migration.name);
  } catch (error) {
    if (stateOf(error) === sqlState.undefinedTable) return migrations.map((migration) => migration.name);
    throw error;
  }
}

/** Refuses what would lose documents or fail half-way: another encoding than UTF-8, and a server older than 15. */
async function requireServer(connection: Connection): Promise<void> {
  const [row] = await connection.rows<readonly [number, string, string]>(
    `select current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding')`,
  );
  const [number, version, encoding] = row ?? [0, 'unknown', 'unknown'];
  if (number < 150_000) throw new Error(`PostgreSQL 15 or newer is needed, and this is ${version}`);
  if (encoding !== 'UTF8')
    throw new Error(`the database must be encoded in UTF8, and this one is in ${encoding}`);
}

async function applyNext(connection: Connection, wanted: readonly Migration[]): Promise<string | null> {
  await connection.rows('begin');
  await connection.rows(`select ${advisoryLock.migration}::text`);
  await connection.rows(
    'create table if not exists platform_migrations (' +
      'name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())',
  );
  const rows = await connection.rows<readonly [string, string]>(
    'select name, checksum from platform_migrations',
  );
  const next = unapplied(wanted, new Map(rows))[0];
  if (next !== undefined) {
    await connection.script(next.text);
    await connection.rows('insert into platform_migrations (name, checksum) values ($1, $2)', [
      next.name,
      next.checksum,
    ]);
  }
  await connection.rows('commit');
  return next?.name ?? null;
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
