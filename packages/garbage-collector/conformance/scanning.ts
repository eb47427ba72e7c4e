import type { Resource } from '@platform/resources';
import { given, tombstone } from '@platform/resources/conformance';
import type { TombstoneRange } from '../src/index.ts';
import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

const everything: TombstoneRange = { after: null, until: null };

/** `GarbageCollectorStore.tombstones`, `revisions` and `backlog`. */
export function scanning({ guarantee }: Suite): void {
  guarantee('a scan sees tombstones only, oldest first, ties by uid', async (store) => {
    const rows = await tombstones(store, 6);
    await given(store);
    const page = await store.garbageCollector.tombstones(everything, 10);
    expect(page.map(({ uid, revision }) => ({ uid, revision }))).toEqual(
      inOrder(rows).map(({ uid, revision }) => ({ uid, revision })),
    );
  });

  guarantee('a page goes on after the last position of the one before', async (store) => {
    const rows = await tombstones(store, 7);
    const seen: string[] = [];
    let after: TombstoneRange['after'] = null;
    for (let page = 0; page < 4; page += 1) {
      const found = await store.garbageCollector.tombstones({ after, until: null }, 2);
      seen.push(...found.map(({ uid }) => uid));
      after = found.at(-1) ?? after;
    }
    expect(seen).toEqual(inOrder(rows).map(({ uid }) => uid));
  });

  guarantee('a range ends with the tombstones of its last moment', async (store) => {
    const rows = inOrder(await tombstones(store, 4));
    const moment = Date.parse(rows[1]?.deletionTimestamp as string);
    const page = await store.garbageCollector.tombstones({ after: null, until: moment }, 10);
    const wanted = rows.filter((row) => Date.parse(row.deletionTimestamp as string) <= moment);
    expect(page.map(({ uid }) => uid)).toEqual(wanted.map(({ uid }) => uid));
    expect(page.every(({ since }) => since <= moment)).toBe(true);
  });

  guarantee('revisions are those of the rows that exist', async (store) => {
    const row = await given(store);
    const held = await tombstone(store, await given(store));
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(await store.garbageCollector.revisions([row.uid, missing, held.uid])).toEqual(
      new Map([
        [row.uid, 1],
        [held.uid, 2],
      ]),
    );
  });

  guarantee('the backlog is the number of tombstones and the age of the oldest', async (store) => {
    expect(await store.garbageCollector.backlog(null)).toEqual({ tombstones: 0, oldest: null });
    const rows = inOrder(await tombstones(store, 3));
    const oldest = Date.parse(rows[0]?.deletionTimestamp as string);
    expect(await store.garbageCollector.backlog(null)).toEqual({ tombstones: 3, oldest });
    expect(await store.garbageCollector.backlog(oldest)).toEqual({ tombstones: 3, oldest });
    expect(await store.garbageCollector.backlog(Date.parse('2100-01-01'))).toEqual({
      tombstones: 0,
      oldest: null,
    });
  });
}

async function tombstones(
  store: GarbageCollectorStoreUnderTest,
  count: number,
): Promise<readonly Resource[]> {
  const rows: Resource[] = [];
  for (let made = 0; made < count; made += 1) rows.push(await tombstone(store, await given(store)));
  return rows;
}

function inOrder(rows: readonly Resource[]): readonly Resource[] {
  const key = ({ deletionTimestamp, uid }: Resource) => `${deletionTimestamp} ${uid}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
