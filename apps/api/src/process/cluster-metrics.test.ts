import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { recordingLogger } from '@platform/development/testing';
import { createMetrics } from '../http/metrics.ts';
import { ClusterMetrics } from './cluster-metrics.ts';

/** A worker as the primary sees it: it answers as long as it is not silent. */
function worker(pid: number, configured: number) {
  const metrics = createMetrics(() => ({ max: 10, busy: 0, waiting: 0 }), '0.0.0', configured);
  const texts: (string | null)[] = [];
  const state = { isSilent: false };
  const events = new EventEmitter();
  const fake = Object.assign(events, {
    process: { pid },
    isConnected: () => true,
    send(message: { type: string; text?: string | null }) {
      if (message.text !== undefined) texts.push(message.text);
      if (message.type !== 'own-metrics' || state.isSilent) return;
      void metrics.registry
        .getMetricsAsJSON()
        .then((own) => events.emit('message', { type: 'own-metrics', own }));
    },
  }) as unknown as Worker;
  const scrape = async () => {
    const before = texts.length;
    events.emit('message', { type: 'metrics', id: String(before) });
    while (texts.length === before) await new Promise((resolve) => setImmediate(resolve));
    return texts.at(-1) ?? null;
  };
  return { fake, metrics, state, scrape, exits: () => events.emit('exit') };
}

/** Two workers that serve, each of which has issued a token, and their primary. */
function replica() {
  const logger = recordingLogger();
  const primary = new ClusterMetrics(logger, 20);
  const workers = [1, 2].map((pid) => worker(pid, 2));
  for (const { fake, metrics } of workers) {
    primary.attach(fake);
    primary.add(fake);
    metrics.issued('session');
  }
  const [first, second] = workers as [ReturnType<typeof worker>, ReturnType<typeof worker>];
  return { logger, primary, first, second };
}

const tokens = (count: number) => `platform_api_tokens_issued_total{kind="session"} ${count}\n`;
const pools = (size: number) => `platform_api_database_connections{state="max"} ${size}\n`;
const workers = (count: number) => `platform_api_workers ${count}\n`;

describe('the metrics of several workers', () => {
  it('are added up, with the number of workers that answered', async () => {
    const { first, logger } = replica();
    const text = await first.scrape();
    for (const line of [tokens(2), pools(20), workers(2)]) expect(text).toContain(line);
    expect(text).toContain('platform_api_workers_configured 2\n');
    expect(logger.lines).toEqual([]);
  });

  it('come without a worker that does not answer, but its counters stay; the log says so once', async () => {
    const { first, second, logger } = replica();
    await first.scrape();
    second.state.isSilent = true;
    first.metrics.issued('session');
    await first.scrape();
    const text = await first.scrape();
    for (const line of [tokens(3), pools(10), workers(1)]) expect(text).toContain(line);
    expect(logger.lines.map(({ message, fields }) => [message, fields['pid']])).toEqual([
      ['a worker does not answer with its metrics', 2],
    ]);
    second.state.isSilent = false;
    expect(await first.scrape()).toContain(workers(2));
  });

  it('never fall when a worker ends and another one takes its place', async () => {
    const { first, second, primary } = replica();
    await first.scrape();
    second.exits();
    const without = await first.scrape();
    for (const line of [tokens(2), pools(10), workers(1)]) expect(without).toContain(line);
    const replacement = worker(3, 2);
    primary.attach(replacement.fake);
    primary.add(replacement.fake);
    replacement.metrics.issued('session');
    const text = await replacement.scrape();
    for (const line of [tokens(3), pools(20), workers(2)]) expect(text).toContain(line);
  });

  it('do not wait for a worker that ends while it is asked', async () => {
    const { first, second, logger } = replica();
    second.state.isSilent = true;
    const scraped = first.scrape();
    second.exits();
    expect(await scraped).toContain(workers(1));
    expect(logger.lines).toEqual([]);
  });

  it('are missing when no worker answers', async () => {
    const { first, second } = replica();
    for (const { state } of [first, second]) state.isSilent = true;
    expect(await first.scrape()).toBeNull();
  });
});
