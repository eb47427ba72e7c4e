import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeEntry, type ChangeLog, type Cursor, Ticker } from '@platform/change-log';
import { storeTimeouts } from '@platform/development/testing';
import { harness } from '@platform/garbage-collector/conformance';
import { monotonicClock } from '@platform/kernel';
import type { Resource } from '@platform/resources';
import { deleteRow } from '@platform/resources/conformance';
import { below, byUid, creation, given, testChange } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { openStore } from '../../index.ts';

const fixture = testStore({ poolMax: 16 });
const { database } = fixture;

/** Reads everything after the cursor in pages of `limit`, resuming from the text of the last entry or of the page, in turns. */
async function readAll(log: ChangeLog, from: Cursor, limit = 3): Promise<readonly ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (let cursor = from, turn = 0; ; turn += 1) {
    const page = await log.read(cursor, limit);
    entries.push(...page.changes);
    if (!page.more && page.changes.length === 0) return entries;
    const last = page.changes.at(-1);
    cursor = await log.parse(
      turn % 2 === 0 && last !== undefined ? log.advance(cursor, last).text : page.end.text,
    );
  }
}

const status = (row: Resource, value: string) =>
  fixture.store.writer.replaceStatus({
    change: testChange,
    definition: null,
    ref: byUid(row),
    slot: 's',
    value,
  });

describe('under random writes, long transactions, cascades and crashes', () => {
  it('every reader gets every revision once, in one order that respects answers', async () => {
    const { store } = fixture;
    const { changeLog } = store;
    const head = await changeLog.head();
    const deadline = Date.now() + 6_000;
    // A loaded machine gets more time for as many writes.
    const busy = () => Date.now() < deadline || (answered.length < 400 && Date.now() < deadline + 40_000);
    const random = (most: number) => Math.floor(Math.random() * most);
    const pick = <T>(items: readonly T[]): T | undefined => items[random(items.length)];
    const rows: Resource[] = [];
    /** Writes that were answered, in the order of their answers: the uid and the revision. */
    const answered: { readonly key: string; readonly startedAfter: number }[] = [];
    const answer = (startedAfter: number, resource: Resource) =>
      void answered.push({ key: `${resource.uid} ${resource.revision} false`, startedAfter });

    const writer = async () => {
      while (busy()) {
        const startedAfter = answered.length;
        const row = pick(rows);
        const kind = random(10);
        if (row === undefined || kind < 3) {
          const collection =
            row !== undefined && row.parentUid === null && kind < 2 ? below('Part', row) : undefined;
          const outcome = await store.writer.create(creation(collection === undefined ? {} : { collection }));
          if (outcome.outcome !== 'created') continue;
          rows.push(outcome.resource);
          answer(startedAfter, outcome.resource);
        } else if (kind < 8) {
          const outcome = await status(row, String(random(1e6)));
          if (outcome.outcome === 'written') answer(startedAfter, outcome.resource);
        } else if (kind === 8) {
          await deleteRow(store as never, row).catch(() => undefined);
        } else {
          // A transaction that draws its numbers first and commits late, or not at all.
          await store.transactions
            .run(async (transaction) => {
              for (const one of [creation(), creation()]) await transaction.writer.create(one);
              await sleep(random(400));
              if (random(2) === 0) throw new Error('crashed');
            })
            .catch(() => undefined);
        }
      }
    };
    // One row, from two processes: their statements wait for each other's lock.
    const second = openStore({ ...storeTimeouts, url: database.url, poolMax: 6 });
    const hot = await given(store);
    const hotWriter = async ({ writer: own }: Pick<typeof store, 'writer'>) => {
      while (busy()) {
        const startedAfter = answered.length;
        const outcome = await own.replaceStatus({
          change: testChange,
          definition: null,
          ref: byUid(hot),
          slot: 's',
          value: String(random(1e6)),
        });
        if (outcome.outcome === 'written') answer(startedAfter, outcome.resource);
      }
    };
    const collector = async () => {
      const collected = {
        ...store,
        removeRow: async () => {},
        reset: async () => {},
        endLease: async () => {},
      };
      while (busy()) {
        await harness(collected as never).drain();
        await sleep(50);
      }
    };
    // Tickers on two processes: each crashes, and the other one takes over.
    const tickers = async () => {
      while (busy()) {
        const stopping = new AbortController();
        const crash = sleep(200 + random(400)).then(() => stopping.abort());
        const running = [store, second].map(({ ticks, tickerLease }, index) =>
          new Ticker({
            ticks,
            clock: monotonicClock,
            holder: `ticker ${index} ${random(1e9)}`,
            lease:
              random(2) === 0
                ? tickerLease
                : { ...tickerLease, acquire: async () => ({ held: true, freeInMs: 0 }) },
            logger: { debug() {}, info() {}, warn() {}, error() {} },
            sleep: async (ms, signal) => void (await sleep(ms, undefined, { signal }).catch(() => undefined)),
          }).run(stopping.signal),
        );
        await Promise.all([...running, crash]);
      }
    };
    const reader = async (limit: number, from: Cursor) => {
      const seen: ChangeEntry[] = [];
      for (let cursor = from; ; ) {
        const done = !busy();
        const page = await changeLog.read(cursor, limit);
        seen.push(...page.changes);
        const last = page.changes.at(-1);
        // Resumes from texts: of an entry, of the page, or of an entry in the middle after which the rest is read again.
        if (last !== undefined && random(3) === 0) {
          const at = random(page.changes.length);
          seen.length -= page.changes.length - 1 - at;
          cursor = await changeLog.parse(changeLog.advance(cursor, page.changes[at] as ChangeEntry).text);
        } else cursor = await changeLog.parse(page.end.text);
        if (done && page.changes.length === 0) return seen;
        await sleep(random(20));
      }
    };
    const readers = [1_000, 7, 50].map((limit) => reader(limit, head));
    await Promise.all([
      writer(),
      writer(),
      writer(),
      writer(),
      hotWriter(store),
      hotWriter(store),
      hotWriter(second),
      hotWriter(second),
      collector(),
      tickers(),
    ]);
    await store.ticks.tick();
    await second.close();
    const seen = await Promise.all(readers);
    const complete = await readAll(changeLog, head, 200);

    const keysOf = (entries: readonly ChangeEntry[]) =>
      entries.map(({ resource, removed }) => `${resource.uid} ${resource.revision} ${removed}`);
    const keys = keysOf(complete);
    expect(new Set(keys).size).toBe(keys.length);
    // As the table has it: each committed entry once.
    const [stored] = await database.sql`select count(*)::int as count from changes where seq > (
      select coalesce(max(seq), 0) from changes where pg_visible_in_snapshot(xid, (select snapshot from change_ticks where tick = ${head.tick})))`;
    expect(keys.length).toBe(stored?.['count']);
    const place = new Map(keys.map((key, index) => [key, index]));
    // Every answered write is there, and after the writes that were answered before it began.
    let highest = -1;
    const highestBefore: number[] = [];
    for (const { key } of answered) {
      highestBefore.push(highest);
      const at = place.get(key);
      expect(at).toBeDefined();
      highest = Math.max(highest, at as number);
    }
    const early = answered.filter(({ key, startedAfter }) => {
      const floor = startedAfter === 0 ? -1 : Math.max(highestBefore[startedAfter] ?? -1, -1);
      return (place.get(key) as number) < floor;
    });
    expect(early).toEqual([]);
    // The revisions of each resource are in order.
    const last = new Map<string, number>();
    for (const { resource, removed } of complete) {
      const before = last.get(resource.uid) ?? 0;
      expect(resource.revision).toBe(removed ? before : before + 1);
      last.set(resource.uid, resource.revision);
    }
    // All readers saw the same, whenever and however they read. They may have ended before the last tick.
    for (const entries of seen) expect(keysOf(entries)).toEqual(keys.slice(0, entries.length));
    expect(Math.max(...seen.map((entries) => entries.length))).toBeGreaterThan(keys.length / 2);
    expect(keys.length).toBeGreaterThan(300);
  }, 60_000);
});
