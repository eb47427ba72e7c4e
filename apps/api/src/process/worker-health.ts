import type { Worker } from 'node:cluster';
import type { Logger } from '@platform/kernel';

/** The primary asks a worker whether its event loop runs, and the worker answers. */
interface HealthMessage {
  readonly type: 'health-check' | 'healthy';
}

/** The part of a worker that its health check uses. */
export type CheckedWorker = Pick<Worker, 'on' | 'once' | 'isConnected' | 'send' | 'process'>;

/** How often a worker is asked, and how many times in a row it may leave that without an answer. */
export interface HealthCheck {
  readonly everyMs: number;
  readonly unanswered: number;
}

/** The event loop of a worker may be blocked for 30 seconds, as long as the liveness probe of docker/kubernetes/api.yaml allows. */
const defaultCheck: HealthCheck = { everyMs: 5_000, unanswered: 6 };

/** In a worker: answers the primary. */
export function answerHealthChecks(): void {
  process.on('message', ({ type }: HealthMessage) => {
    if (type === 'health-check') process.send?.({ type: 'healthy' } satisfies HealthMessage);
  });
}

/**
 * In the primary: ends a worker that serves and does not answer. Questions are counted instead of time, because after the whole replica was
 * frozen all of its workers are late by the same time.
 */
export function checkHealth(
  worker: CheckedWorker,
  log: Logger,
  { everyMs, unanswered }: HealthCheck = defaultCheck,
): void {
  let waiting = 0;
  worker.on('message', ({ type }: HealthMessage) => {
    if (type === 'healthy') waiting = 0;
  });
  const timer = setInterval(() => {
    if (!worker.isConnected()) return;
    if (waiting < unanswered) {
      waiting += 1;
      worker.send({ type: 'health-check' } satisfies HealthMessage);
      return;
    }
    clearInterval(timer);
    log.error('a worker does not answer and is ended', {
      pid: worker.process.pid,
      seconds: (everyMs * unanswered) / 1_000,
    });
    worker.process.kill('SIGKILL');
  }, everyMs);
  worker.once('exit', () => clearInterval(timer));
}
