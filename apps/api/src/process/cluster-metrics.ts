import type { Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics } from '../http/metrics.ts';

/** Between a worker and its primary: a question without text, its answer with the same id. */
interface MetricsMessage {
  readonly type: 'metrics';
  readonly id: string;
  readonly text?: string;
}

/** In a worker: the metrics of all workers together. */
export function acrossWorkers(metrics: Metrics): Metrics {
  AggregatorRegistry.setRegistries(metrics.registry);
  new AggregatorRegistry();
  const waiting = new Map<string, (text: string) => void>();
  process.on('message', ({ type, id, text }: MetricsMessage) => {
    if (type !== 'metrics' || text === undefined) return;
    waiting.get(id)?.(text);
    waiting.delete(id);
  });
  return {
    ...metrics,
    render: () =>
      new Promise((resolve) => {
        const id = randomUUID();
        waiting.set(id, resolve);
        process.send?.({ type: 'metrics', id } satisfies MetricsMessage);
      }),
  };
}

/** In the primary: answers the questions of a worker. */
export function answerMetrics(worker: Worker, aggregator: { clusterMetrics(): Promise<string> }): void {
  worker.on('message', async ({ type, id }: MetricsMessage) => {
    if (type !== 'metrics') return;
    // A worker that has just ended does not answer; the next scrape is soon.
    const text = await aggregator.clusterMetrics().catch(() => '');
    if (worker.isConnected()) worker.send({ type, id, text });
  });
}
