import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { passwordFileIn, urlOf } from './cluster.ts';
import { recordedPid } from './leftover.ts';
import { isPostgresIn } from './processes.ts';

/**
 * The URL of the server that another process runs on a data directory; undefined when none runs.
 * Throws the error of the file system when the directory belongs to another account.
 */
export function runningUrl(dataDir: string): string | undefined {
  const clusterDir = join(resolve(dataDir), 'postgres');
  const pid = existsSync(clusterDir) ? recordedPid(clusterDir) : undefined;
  if (pid === undefined || !isPostgresIn(pid, realpathSync(clusterDir))) return undefined;
  const [, , , port] = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(passwordFileIn(resolve(dataDir)), 'utf8').trim();
  return urlOf(password, Number(port));
}
