import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@platform/kernel';
import { EmbeddedPostgresError } from './error.ts';
import { isPostgresIn } from './processes.ts';

const timeoutMs = 60_000;

/** The process id in `postmaster.pid`; undefined when there is no such file. */
export function recordedPid(clusterDir: string): number | undefined {
  const file = join(clusterDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Clears what an earlier start left behind: a server that outlived its launcher is shut down (its
 * settings and port may differ from ours), and a stale `postmaster.pid`, whose process id may belong to
 * another program by now, is removed. Only for the holder of the lock.
 */
export async function clearLeftover(clusterDir: string, log: Logger): Promise<void> {
  const pid = existsSync(clusterDir) ? recordedPid(clusterDir) : undefined;
  if (pid === undefined) return;
  const directory = realpathSync(clusterDir);
  if (isPostgresIn(pid, directory)) await shutDown(pid, directory, log);
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}

async function shutDown(pid: number, directory: string, log: Logger): Promise<void> {
  log.warn('stopping a database server that an earlier start left behind', { pid });
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + timeoutMs;
  while (isPostgresIn(pid, directory)) {
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `process ${pid} still serves ${directory} and does not stop: stop it first`,
      );
    }
    await delay(50);
  }
}
