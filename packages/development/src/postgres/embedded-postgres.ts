import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from '@platform/kernel';
import { databaseAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { guardCluster } from './guard.ts';
import { clearLeftover } from './leftover.ts';
import { lockDataDir } from './lock.ts';
import { type RunningServer, startServer } from './server.ts';

/** How the embedded database runs. */
export interface EmbeddedPostgresOptions {
  /** The cluster is kept in its directory `postgres`, and survives. */
  readonly dataDir: string;
  /** On 127.0.0.1; 0 or nothing takes a free port. */
  readonly port?: number;
  /** Most connections at a time; 200 by default. */
  readonly maxConnections?: number;
  /** False only for tests: faster, and a crash of the machine may lose everything. */
  readonly durable?: boolean;
  /** Whether the server keeps running after this process exits. Send SIGINT to its pid to stop it. */
  readonly detached?: boolean;
  readonly log: Logger;
}

/**
 * Starts a real PostgreSQL on loopback, made at first and found again later. Unless it is detached, it
 * never outlives this process, and only one process at a time has a data directory.
 * Throws {@link EmbeddedPostgresError} with advice when it cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<RunningServer> {
  const { port = 0, maxConnections = 200, durable = true, detached = false, log } = options;
  const dataDir = resolve(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockDataDir(dataDir);
  let dismiss = () => {};
  try {
    const account = databaseAccount(clusterDir);
    await clearLeftover(clusterDir, log);
    const binaries = findBinaries(account, dataDir);
    const cluster = prepareCluster(dataDir, binaries, account, durable);
    if (!detached) dismiss = guardCluster(clusterDir);
    const server = await startServer(cluster, binaries, {
      port,
      maxConnections,
      durable,
      detached,
      logFile: join(dataDir, 'postgres.log'),
    });
    const ended = server.ended.then(() => {
      dismiss();
      unlock();
    });
    return { ...server, ended, stop: () => server.stop().then(() => ended) };
  } catch (error) {
    dismiss();
    unlock();
    throw error;
  }
}
