import type { Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Logger } from '@platform/kernel';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics } from '../http/metrics.ts';

type WorkerMetrics = Awaited<ReturnType<Metrics['registry']['getMetricsAsJSON']>>;

/**
 * Between a worker and its primary: `metrics` asks for those of all workers and is answered with `text`, null when there are none;
 * `own-metrics` asks a worker for its own and is answered with `own`.
 */
type MetricsMessage =
  | { readonly type: 'metrics'; readonly id: string; readonly text?: string | null }
  | { readonly type: 'own-metrics'; readonly own?: WorkerMetrics };

/** In a worker: the metrics of all workers together. */
export function acrossWorkers(metrics: Metrics): Metrics {
  const waiting = new Map<string, (text: string | null) => void>();
  process.on('message', (message: MetricsMessage) => {
    if (message.type === 'own-metrics') {
      void metrics.registry
        .getMetricsAsJSON()
        .then((own) => process.send?.({ type: 'own-metrics', own } satisfies MetricsMessage));
    }
    if (message.type !== 'metrics' || message.text === undefined) return;
    waiting.get(message.id)?.(message.text);
    waiting.delete(message.id);
  });
  return {
    ...metrics,
    render: () =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        waiting.set(id, (text) => {
          if (text === null) reject(new Error('no worker has answered with its metrics'));
          else resolve(text);
        });
        process.send?.({ type: 'metrics', id } satisfies MetricsMessage);
      }),
  };
}

/** The part of a worker that {@link ClusterMetrics} talks to. */
export type MetricsWorker = Pick<Worker, 'on' | 'once' | 'isConnected' | 'send' | 'process'>;

/** A worker that serves. */
interface Serving {
  readonly worker: MetricsWorker;
  /** Its latest answer. */
  latest: WorkerMetrics;
  isSilent: boolean;
  /** Ends the wait for its answer. */
  answer: ((hasAnswered: boolean) => void) | null;
}

/**
 * In the primary: adds up the metrics of the workers that answer. A worker that does not answer, or has ended, still counts with its latest
 * counters, because Prometheus takes a sum that falls for a restart and shows a burst that never was. `platform_api_workers` says how many answered.
 */
export class ClusterMetrics {
  readonly #serving = new Map<MetricsWorker, Serving>();
  readonly #log: Logger;
  readonly #timeoutMs: number;
  #ofEnded: Promise<WorkerMetrics> = Promise.resolve([]);
  #collection: Promise<string | null> | null = null;

  /** A worker that has not answered after `timeoutMs` is left out. Prometheus waits for ten seconds. */
  constructor(log: Logger, timeoutMs = 3_000) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  /** Answers the questions of a worker. Call it as soon as the worker exists. */
  attach(worker: MetricsWorker): void {
    worker.on('message', (message: MetricsMessage) => {
      if (message.type === 'metrics') void this.#reply(worker, message.id);
      if (message.type === 'own-metrics' && message.own !== undefined) this.#take(worker, message.own);
    });
    worker.once('exit', () => this.#remove(worker));
  }

  /** The worker serves, so its metrics count from now on. */
  add(worker: MetricsWorker): void {
    if (this.#serving.has(worker)) return;
    this.#serving.set(worker, { worker, latest: [], isSilent: false, answer: null });
  }

  async #reply(worker: MetricsWorker, id: string): Promise<void> {
    // It may be asked for metrics before it has told that it is ready.
    this.add(worker);
    this.#collection ??= this.#collect().finally(() => {
      this.#collection = null;
    });
    const text = await this.#collection;
    if (worker.isConnected()) worker.send({ type: 'metrics', id, text } satisfies MetricsMessage);
  }

  async #collect(): Promise<string | null> {
    const asked = [...this.#serving.values()];
    const answered = await Promise.all(asked.map((one) => this.#ask(one)));
    if (!answered.includes(true)) return null;
    const current = asked.flatMap((one, index) => {
      // One that has ended meanwhile is part of `#ofEnded`.
      if (!this.#serving.has(one.worker)) return [];
      return [answered[index] === true ? one.latest : countersOf(one.latest)];
    });
    // Read together with `#serving`, so that no worker counts twice.
    const ofEnded = this.#ofEnded;
    return await AggregatorRegistry.aggregate([...current, await ofEnded]).metrics();
  }

  #ask(one: Serving): Promise<boolean> {
    return new Promise((resolve) => {
      const overdue = setTimeout(() => {
        if (!one.isSilent) {
          this.#log.warn('a worker does not answer with its metrics', { pid: one.worker.process.pid });
        }
        one.isSilent = true;
        one.answer?.(false);
      }, this.#timeoutMs);
      one.answer = (hasAnswered) => {
        clearTimeout(overdue);
        one.answer = null;
        resolve(hasAnswered);
      };
      if (one.worker.isConnected()) one.worker.send({ type: 'own-metrics' } satisfies MetricsMessage);
      else one.answer(false);
    });
  }

  #take(worker: MetricsWorker, own: WorkerMetrics): void {
    const one = this.#serving.get(worker);
    if (one === undefined) return;
    one.latest = own;
    one.isSilent = false;
    one.answer?.(true);
  }

  #remove(worker: MetricsWorker): void {
    const one = this.#serving.get(worker);
    if (one === undefined) return;
    this.#serving.delete(worker);
    one.answer?.(false);
    this.#ofEnded = this.#ofEnded.then((sum) =>
      AggregatorRegistry.aggregate([sum, countersOf(one.latest)]).getMetricsAsJSON(),
    );
  }
}

/** The metrics that only grow. Gauges describe a process that answers. */
function countersOf(metrics: WorkerMetrics): WorkerMetrics {
  return metrics.filter(({ type }) => ['counter', 'histogram', 'summary'].includes(String(type)));
}
