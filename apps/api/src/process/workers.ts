import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@platform/config';
import { backoff, type Logger } from '@platform/kernel';
import { onStopRequest } from '@platform/service-runtime';
import { ClusterMetrics } from './cluster-metrics.ts';
import { checkHealth } from './worker-health.ts';

/** The message of a worker to its primary once it serves. */
interface ReadyMessage {
  readonly type: 'ready';
  readonly address: string;
  readonly port: number;
}

/** A worker asks its primary for the configuration, and is answered with it. */
interface ConfigMessage {
  readonly type: 'config';
  readonly config?: Config;
}

/**
 * In a worker: the configuration that the primary has read. A file that was edited since is not read, because the workers of a replica would
 * have different keys.
 */
export async function configOfPrimary(): Promise<Config> {
  const answer = once(process, 'message');
  process.send?.({ type: 'config' } satisfies ConfigMessage);
  const [{ config }] = (await answer) as [Required<ConfigMessage>];
  return config;
}

/** Milliseconds until a worker that died is replaced: more with each one that dies before it serves, because starts use up the CPU. */
const replaceAfter = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Runs `server.workers` processes that share the listening port, and replaces the ones that die or hang. Resolves with the exit code
 * once all have ended: 0 after a stop, 1 when a worker could not start and no other one serves.
 */
export async function runWorkers(config: Config, log: Logger): Promise<number> {
  const count = config.server.workers;
  const workers = new Set<Worker>();
  const ready = new Set<Worker>();
  const metrics = new ClusterMetrics(log);
  const stopping = new AbortController();
  let exitCode = 0;
  let hasStarted = false;
  const stop = () => {
    stopping.abort();
    for (const worker of workers) worker.process.kill('SIGTERM');
  };
  onStopRequest((reason) => {
    log.info('stopping workers', { reason });
    stop();
  });

  const live = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const worker = cluster.fork();
      workers.add(worker);
      metrics.attach(worker);
      worker.on('message', (message: ReadyMessage | ConfigMessage) => {
        if (message.type === 'config') worker.send({ type: 'config', config } satisfies ConfigMessage);
        if (message.type !== 'ready') return;
        ready.add(worker);
        metrics.add(worker);
        checkHealth(worker, log);
        // The launcher is told once, when all of them serve for the first time.
        if (hasStarted || ready.size < count) return;
        hasStarted = true;
        process.send?.(message);
      });
      const end = await endOf(worker);
      workers.delete(worker);
      const wasReady = ready.delete(worker);
      if (stopping.signal.aborted) return;
      // A replacement that is killed before it is ready must not end those that serve.
      const othersServe = hasStarted && ready.size > 0;
      const { pid } = worker.process;
      if (!wasReady && end.code !== 0 && !othersServe) {
        log.error('a worker ended before it was ready, stopping', { pid, ...end });
        exitCode = 1;
        stop();
        return;
      }
      failures = wasReady ? 0 : failures + 1;
      const delayMs = backoff(failures, replaceAfter);
      log.error('a worker ended and is replaced', { pid, ...end, delayMs });
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: count }, live));
  return exitCode;
}

/** How a worker ended. */
interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly error?: Error;
}

/** Resolves when a worker has ended. A message to one that has just died fails with an `error` before its `exit`. */
export function endOf(worker: Worker): Promise<End> {
  return new Promise((resolve) => {
    worker.on('error', (error) => {
      // It was never started, so there is no `exit`.
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, error });
    });
    worker.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
