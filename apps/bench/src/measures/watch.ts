import { setTimeout as delay } from 'node:timers/promises';
import { apiAt } from '../fixture/api.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { kindAt, pathOf } from '../fixture/kinds.ts';
import { Watchers } from '../load/watchers.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

const watchers = 10_000;
/** Ordinary requests before the memory at rest is read. */
const servedBefore = 3_000;
const repeats = 40;
const fanOuts = 5;
const timeoutMs = 30_000;
/** How long the transactions of an idle database are counted. */
const idleMs = 5_000;
/** PostgreSQL sends the statistics of an idle session after a second at most. */
const reportMs = 1_500;

/** The name of the figure: what idle streams cost the database. */
export const idleTransactions = 'database transactions with 10,000 idle watchers, relative to one';

/** Latency from a committed write to its event, and the memory and the delivery of one change with many watchers. */
export const watchingChanges: Measure = {
  name: 'watch',
  once: true,
  async run(fixture) {
    const env = { PLATFORM__LIMITS__WATCHES_PER_CALLER: String(2 * watchers) };
    const api = await fixture.startApi({ env });
    const streams = new Watchers();
    try {
      const item = await watchedItem(fixture, api.url);
      // Any process that serves requests has a young generation of that size, with streams or without.
      for (let request = 0; request < servedBefore; request += 1) await item.streamUrl();
      await delay(1_000);
      const rest = api.residentBytes();
      await streams.open(await item.streamUrl(), item.headers, 1);
      const latency = await timeDeliveries(streams, item, { count: repeats, receivers: 1 });
      const idleWithOne = await countTransactions(fixture);
      // From here on: a stream that had to catch up would not be an idle one.
      await streams.open(await item.streamUrl(), item.headers, watchers - 1);
      await delay(1_000);
      const memory = api.residentBytes() - rest;
      const idleWithAll = await countTransactions(fixture);
      const fanOut = await timeDeliveries(streams, item, { count: fanOuts, receivers: watchers });
      return [
        { name: 'commit to event at a watcher', unit: 'ms', ...latency },
        { name: 'API memory for 10,000 idle watchers', unit: 'MB', value: memory / 1e6 },
        { name: idleTransactions, unit: 'x', value: idleWithAll / idleWithOne },
        { name: 'commit to event at the last of 10,000 watchers', unit: 'ms', ...fanOut },
      ] satisfies Figure[];
    } finally {
      streams.close();
      await api.stop();
    }
  },
};

/** The transactions of a while in which nobody writes: the looks of the ticker and of the readers of the log. */
async function countTransactions({ sql }: Fixture): Promise<number> {
  const read = async () => {
    await delay(reportMs);
    const [row] =
      await sql`select xact_commit::int as count from pg_stat_database where datname = current_database()`;
    return Number(row?.['count']);
  };
  const before = await read();
  await delay(idleMs);
  return (await read()) - before;
}

interface WatchedItem {
  /** Streams the changes of its collection from now on. */
  streamUrl(): Promise<string>;
  readonly headers: Readonly<Record<string, string>>;
  /** Commits one change. */
  write(): Promise<unknown>;
}

async function watchedItem({ api: { session } }: Fixture, url: string): Promise<WatchedItem> {
  const api = apiAt(url, session);
  const collection = pathOf(kindAt(1), 'root-1');
  const read = async () =>
    (await api.get(`${collection}?limit=1`)) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
      readonly metadata: { readonly cursor: string };
    };
  const name = (await read()).items[0]?.metadata.name ?? '';
  let written = 0;
  return {
    async streamUrl() {
      const { cursor } = (await read()).metadata;
      return `${url}${collection}?watch=true&cursor=${encodeURIComponent(cursor)}`;
    },
    headers: { authorization: `Bearer ${session}` },
    write: () => {
      written += 1;
      return api.put(`${pathOf(kindAt(1), 'root-1', name)}/status`, { status: { observed: written } });
    },
  };
}

/** The median time from the response to a write until every receiver has its event. */
async function timeDeliveries(
  streams: Watchers,
  item: WatchedItem,
  plan: { readonly count: number; readonly receivers: number },
): Promise<{ readonly value: number; readonly unfinished?: string }> {
  const times: number[] = [];
  for (let n = 0; n < plan.count; n++) {
    streams.reset();
    const delivered = streams
      .received(plan.receivers, timeoutMs)
      .then((all) => ({ all, at: performance.now() }));
    await item.write();
    const answered = performance.now();
    const { all, at } = await delivered;
    if (!all) return { value: timeoutMs, unfinished: `not delivered within ${timeoutMs / 1_000} s` };
    times.push(Math.max(0, at - answered));
  }
  return { value: median(times) };
}
