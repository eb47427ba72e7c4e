import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type Cluster, databaseName, urlOf } from './cluster.ts';
import { EmbeddedPostgresError } from './error.ts';
import { surroundingsOf } from './run.ts';

/** A server that accepts connections. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Disconnects clients, writes everything down and ends. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** How the server is started; see `EmbeddedPostgresOptions`. */
export interface ServerOptions {
  readonly port: number;
  readonly maxConnections: number;
  readonly durable: boolean;
  readonly detached: boolean;
  readonly logFile: string;
}

const logLimitBytes = 10 * 1024 * 1024;
const fastShutdownMs = 30_000;

/** Starts the server on 127.0.0.1; a `port` of 0 takes a free one. Resolves once it accepts connections. */
export async function startServer(
  cluster: Cluster,
  binaries: Binaries,
  options: ServerOptions,
): Promise<RunningServer> {
  const { port, detached, logFile } = options;
  for (let attempt = 1; ; attempt++) {
    const chosen = port === 0 ? await freePort() : port;
    const { child, logStart } = launch(cluster, binaries, { ...options, port: chosen });
    const ready = await accepts(child, cluster.clusterDir);
    if (ready && detached) child.unref();
    if (ready) return running(child, cluster, chosen);
    const said = readFileSync(logFile, 'utf8').slice(logStart);
    // Someone else took the port between our look and the server's.
    const taken = /could not bind|Address already in use/i.test(said);
    if (taken && port === 0 && attempt < 5) continue;
    throw startFailure(said, taken ? chosen : undefined, logFile);
  }
}

function startFailure(said: string, taken: number | undefined, logFile: string): EmbeddedPostgresError {
  if (taken !== undefined) {
    return new EmbeddedPostgresError(
      `database.port: port ${taken} is taken by another program; 0 takes a free one`,
    );
  }
  const lines = said.trim().split('\n').slice(-5).join('\n');
  return new EmbeddedPostgresError(`the embedded PostgreSQL does not start (${logFile}):\n${lines}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function settings({ port, maxConnections, durable }: ServerOptions): Record<string, string> {
  const shared = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    jit: 'off',
    // Reads hit the page cache of the system, where passing them to an I/O worker costs more than the read.
    io_method: 'sync',
    cluster_name: databaseName,
  };
  const fleeting = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return durable ? shared : { ...shared, ...fleeting };
}

/**
 * When glibc returns memory to the system; ignored elsewhere. With the defaults, a backend returns the memory of each page of documents and
 * faults it in again for the next page. Each backend keeps at most this many bytes.
 */
const memory = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '4194304' };

// A session of its own, so that the Ctrl-C of a terminal does not stop the database before its clients.
function launch(cluster: Cluster, binaries: Binaries, options: ServerOptions) {
  const { logFile } = options;
  const args = Object.entries(settings(options)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'a', 0o600);
  try {
    if (statSync(logFile).size > logLimitBytes) truncateSync(logFile);
    const logStart = statSync(logFile).size;
    const stdio: ['ignore', number, number] = ['ignore', log, log];
    const { env, ...surroundings } = surroundingsOf(cluster);
    const spawning = { ...surroundings, env: { ...env, ...memory }, stdio, detached: true };
    const child = spawn(binaries.postgres, args, spawning);
    return { child, logStart };
  } finally {
    closeSync(log);
  }
}

// Waits as pg_ctl does, until the eighth line of postmaster.pid says `ready`. Recovery after a crash may take long, so only the exit of
// the server ends the wait.
async function accepts(child: ChildProcess, clusterDir: string): Promise<boolean> {
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  while (!failed && child.exitCode === null && child.signalCode === null) {
    const lines = readIfThere(join(clusterDir, 'postmaster.pid')).split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await delay(10);
  }
  return false;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function running(child: ChildProcess, cluster: Cluster, port: number): RunningServer {
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  return {
    url: urlOf(cluster.password, port),
    port,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGINT');
      const overdue = setTimeout(() => child.kill('SIGQUIT'), fastShutdownMs);
      await ended;
      clearTimeout(overdue);
    },
  };
}
