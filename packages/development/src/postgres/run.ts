import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

/** Where and as whom the programs of PostgreSQL run. */
export interface Surroundings {
  readonly account: Account | undefined;
  readonly clusterDir: string;
}

/**
 * How a program of PostgreSQL is started in a cluster's directory. As another account it is given the
 * directory as its working directory, entered while we are still root: the account may be unable to
 * walk there, because a parent such as /root is closed to it.
 */
export function surroundingsOf({ account, clusterDir }: Surroundings) {
  const byWorkingDirectory = account !== undefined && process.platform === 'linux';
  const PGDATA = byWorkingDirectory ? '/proc/self/cwd' : clusterDir;
  return { ...account, cwd: clusterDir, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', PGDATA } };
}

/** Runs a program to its end; throws with the end of what it printed when it fails. */
export function runToEnd(
  program: string,
  args: readonly string[],
  where: Surroundings,
  input = '',
): SpawnSyncReturns<string> {
  const result = spawnSync(program, args, { ...surroundingsOf(where), input, encoding: 'utf8' });
  if (result.status === 0) return result;
  const lines = `${result.stdout ?? ''}${result.stderr ?? ''}`
    .split('\n')
    .filter((line) => line.trim() !== '');
  const said = result.error?.message ?? lines.slice(-5).join('\n');
  throw new EmbeddedPostgresError(`${basename(program)} failed in ${where.clusterDir}:\n${said}`);
}
