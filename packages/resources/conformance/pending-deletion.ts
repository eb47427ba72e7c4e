import type { Resource } from '../src/model/resource.ts';
import type { DeletionPosition } from '../src/model/selection.ts';
import { given, givenBelow, givenDefinition, givenOrganization } from './builders.ts';
import { deleteRow, tombstone, tombstones, upTo } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** `ResourceReader.pendingDeletion`. */
export function pendingDeletion({ guarantee }: Suite): void {
  guarantee(
    'pending deletion lists tombstoned rows of every kind and depth, and no live one',
    async (store) => {
      const widget = await given(store);
      const part = await givenBelow(store, [widget], 'Part');
      const organization = await givenOrganization(store, 'acme');
      const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Widget' });
      await given(store);
      expect(await tombstones(store, 1000)).toEqual([]);
      const marked: Resource[] = [];
      for (const row of [part, organization, definition]) marked.push(await tombstone(store, row));
      const found = await tombstones(store, 1000);
      expect(new Set(found)).toEqual(new Set(marked));
    },
  );

  guarantee('pending deletion is sorted by timestamp, oldest first, then by uid', async (store) => {
    const widget = await given(store);
    for (const _ of upTo(8)) await givenBelow(store, [widget], 'Part');
    await deleteRow(store, widget);
    await tombstoneInTurn(store);
    const found = await tombstones(store, 1000);
    const order = [...found].sort(byAgeThenUid);
    expect(found.map((row) => row.uid)).toEqual(order.map((row) => row.uid));
    expect(new Set(found.map((row) => row.deletionTimestamp)).size).toBeGreaterThan(2);
  });

  guarantee('pending deletion returns at most its limit, oldest first', async (store) => {
    const widget = await given(store);
    for (const _ of upTo(4)) await givenBelow(store, [widget], 'Part');
    await deleteRow(store, widget);
    const all = await tombstones(store, 1000);
    expect(all).toHaveLength(5);
    expect(await tombstones(store, 2)).toEqual(all.slice(0, 2));
    expect(await tombstones(store, 5)).toEqual(all);
  });

  guarantee('pages of pending deletions hold each tombstone once, in order', async (store) => {
    await tombstoneInTurn(store);
    const all = await tombstones(store, 1000);
    const found: Resource[] = [];
    let after: DeletionPosition | null = null;
    for (let more = true; more; ) {
      const page = await store.reader.pendingDeletion({ limit: 2, after });
      expect(page.items.length).toBeGreaterThan(0);
      found.push(...page.items);
      const { deletionTimestamp, uid } = found.at(-1) as Resource;
      after = { time: deletionTimestamp as string, uid };
      more = page.more;
    }
    expect(found).toEqual(all);
  });

  guarantee('a removed row is no longer pending', async (store) => {
    const row = await given(store, { finalizers: ['example.dev/hold'] });
    await tombstone(store, row);
    await store.removeRow(row.uid);
    expect(await tombstones(store, 10)).toEqual([]);
  });
}

/** Tombstones rows until they have three different timestamps in milliseconds. */
async function tombstoneInTurn(store: StoreUnderTest): Promise<void> {
  const moments = new Set<string | null>();
  for (let made = 0; moments.size < 3 && made < 2000; made += 1) {
    moments.add((await tombstone(store, await given(store))).deletionTimestamp);
  }
}

function byAgeThenUid(a: Resource, b: Resource): number {
  const key = (row: Resource): string => `${row.deletionTimestamp} ${row.uid}`;
  return key(a) < key(b) ? -1 : 1;
}
