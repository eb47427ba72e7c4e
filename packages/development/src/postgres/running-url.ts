import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { passwordFileIn, urlOf } from './cluster.ts';
import { recordedPid } from './leftover.ts';
import { isPostgresIn } from './processes.ts';

/**
 * Where the server of a data directory can be reached that another process has started; undefined when none runs there.
 * Throws the file system's error when the directory is somebody else's.
 */
export function runningUrl(dataDir: string): string | undefined {
  const clusterDir = join(resolve(dataDir), 'postgres');
  const pid = existsSync(clusterDir) ? recordedPid(clusterDir) : undefined;
  if (pid === undefined || !isPostgresIn(pid, realpathSync(clusterDir))) return undefined;
  const [, , , port] = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(passwordFileIn(resolve(dataDir)), 'utf8').trim();
  return urlOf(password, Number(port));
}
