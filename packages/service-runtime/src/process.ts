import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, loadConfig } from '@platform/config';
import type { Logging } from './logging/logger.ts';
import { onStopSignals } from './stop-signals.ts';

/**
 * How Node.js is started for the API and the collector: by the launcher, in the images (docker/Dockerfile) and by the benchmark.
 *
 * `max-semi-space-size`: with the default, pages that are still being sent when V8 collects are copied within the young generation.
 * `no-allocation-site-pretenuring`: after a burst of pages, V8 allocates response objects in the old generation and keeps doing so;
 * dead objects there keep the texts of later pages alive. The measurements are in docs/decisions/0023-optimisations.md.
 */
export const nodeOptions: readonly string[] = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
];

/**
 * Reads the configuration of a service. If it is invalid, writes every fault to standard error, one per line, and exits: the log is
 * not configured yet. `exitCode` is for commands where 1 means that a check found something.
 */
export function readConfigOrExit(exitCode = 1): Config {
  try {
    const config = loadConfig();
    if (config.database.url === undefined) {
      throw new ConfigError([
        { key: 'database.url', message: 'is required; `pnpm start` brings a database with it' },
      ]);
    }
    return { ...config, warnings: [...config.warnings, ...runtimeWarnings(process.versions.node)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCode);
  }
}

/** The first release without known security holes, of the oldest line that the platform runs on. */
const soundRelease = [20, 20, 2] as const;

/** A warning for a Node.js that has known security holes; others run on it, so the service does not refuse to start. */
export function runtimeWarnings(version: string): readonly string[] {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const differing = soundRelease.findIndex((part, index) => part !== parts[index]);
  if (differing === -1 || (parts[differing] ?? 0) > (soundRelease[differing] ?? 0)) return [];
  const wanted = soundRelease.join('.');
  return [
    `Node.js ${version} has known security holes: run ${wanted} or later, best a release with support such as 24`,
  ];
}

/** Names this process as a holder of leases: no other process ever has the same name. */
export function processName(): string {
  return `${hostname()}/${process.pid}/${randomUUID()}`;
}

/** Resolves after that many milliseconds, or when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * Runs a service to its end, closes its log, and exits with the code that `run` resolves with. An uncaught exception ends the process, and its
 * launcher starts another one; the log says why.
 */
export async function exitAfter(logging: Logging, run: () => Promise<number>): Promise<never> {
  process.on('uncaughtExceptionMonitor', (error) =>
    logging.logger.error('uncaught exception, exiting', { error }),
  );
  const code = await run();
  await logging.close();
  // The launcher's channel, if there is one, would keep the process alive.
  process.exit(code);
}

/**
 * Calls `stop` once, on SIGTERM, SIGINT or SIGHUP, or when the launcher is gone. A launcher that was killed sends no signal; its IPC channel
 * closes, possibly before this function is called.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let requested = false;
  const once = (reason: string) => {
    if (requested) return;
    requested = true;
    stop(reason);
  };
  onStopSignals(once);
  const launcherGone = () => once('launcher gone');
  if (process.connected) process.on('disconnect', launcherGone);
  else if (process.env['PLATFORM_LAUNCHED'] !== undefined) setImmediate(launcherGone);
}
