import { collection, given, givenBelow, namesIn } from './builders.ts';
import { tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** In byte order. The collation of a language would ignore the punctuation or sort it after the letters. */
const inByteOrder = ['0', '1a', 'a', 'a-b', 'a-z', 'a.b', 'a0', 'aa', 'ab', 'b', 'b-0', 'b.0', 'ba', 'z'];

/** `ResourceReader.list`. */
export function list({ guarantee }: Suite): void {
  guarantee('a list of everything has the rows of every kind by uid, page by page', async (store) => {
    expect(await store.reader.all(null, 2)).toMatchObject({ items: [], more: false });
    const widget = await given(store);
    const rows = [widget, await givenBelow(store, [widget], 'Part'), await given(store)];
    const uids = rows.map(({ uid }) => uid).sort();
    const first = await store.reader.all(null, 2);
    const second = await store.reader.all(first.items.at(-1)?.uid ?? null, 2);
    expect([first.more, second.more]).toEqual([true, false]);
    expect([...first.items, ...second.items].map(({ uid }) => uid)).toEqual(uids);
  });

  guarantee('a collection is listed by name in byte order', async (store) => {
    for (const name of [...inByteOrder].reverse()) await given(store, { name });
    expect(await namesIn(store, collection('Widget'))).toEqual(inByteOrder);
  });

  guarantee('consecutive pages return the whole collection', async (store) => {
    for (const name of [...inByteOrder].reverse()) await given(store, { name });
    for (const limit of [1, 3, inByteOrder.length]) {
      const pages = await allPages(store, limit);
      expect(pages.flat()).toEqual(inByteOrder);
      expect(pages.every((page) => page.length <= limit)).toBe(true);
    }
  });

  guarantee('a page says whether more items follow', async (store) => {
    for (const name of ['a', 'b', 'c']) await given(store, { name });
    const page = (limit: number, after: string | null) =>
      store.reader.list(collection('Widget'), { limit, after }, null);
    expect(await page(2, null)).toMatchObject({ more: true });
    expect(await page(3, null)).toMatchObject({ more: false });
    expect(await page(1, 'b')).toMatchObject({ more: false });
    expect(await page(5, 'c')).toMatchObject({ outcome: 'page', items: [], more: false });
  });

  guarantee('a page continues after a name that no longer exists', async (store) => {
    for (const name of ['a', 'c']) await given(store, { name });
    const page = await store.reader.list(collection('Widget'), { limit: 10, after: 'b' }, null);
    expect(page).toMatchObject({ items: [{ name: 'c' }] });
  });

  guarantee(
    'a collection contains the rows of one group, kind and parent, at every version',
    async (store) => {
      const one = await given(store, { name: 'one' });
      const two = await given(store, { name: 'two' });
      await givenBelow(store, [one], 'Part', { name: 'a' });
      await givenBelow(store, [one], 'Part', { name: 'b', apiVersion: 'example.dev/v2' });
      await givenBelow(store, [one], 'Screw', { name: 'other-kind' });
      await givenBelow(store, [two], 'Part', { name: 'other-parent' });
      await givenBelow(store, [], 'Part', { name: 'other-depth' });
      await givenBelow(store, [one], 'Part', {
        name: 'other-group',
        apiVersion: 'other.dev/v1',
        collection: { ...collection('Part', one), group: 'other.dev' },
      });
      expect(await namesIn(store, collection('Part', one))).toEqual(['a', 'b']);
    },
  );

  guarantee('a list returns whole rows, tombstoned ones included', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part', { spec: '{"a":1.10}' });
    const marked = await tombstone(store, part);
    await tombstone(store, widget);
    const page = await store.reader.list(collection('Part', widget), { limit: 10, after: null }, null);
    expect(page).toMatchObject({ outcome: 'page', items: [marked], more: false });
  });

  guarantee('a missing ancestor at any height differs from an empty collection', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const page = { limit: 10, after: null };
    const absent = { name: 'absent' };
    for (const ancestors of [
      [{ ...widget, ...absent }, part],
      [widget, { ...part, ...absent }],
      [part, widget],
    ]) {
      const outcome = await store.reader.list(collection('Screw', ...ancestors), page, null);
      expect(outcome).toEqual({ outcome: 'ancestorMissing' });
    }
    const empty = await store.reader.list(collection('Screw', widget, part), page, null);
    expect(empty).toMatchObject({ outcome: 'page', items: [], more: false });
  });
}

async function allPages(store: StoreUnderTest, limit: number): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let more = true; more; ) {
    const after = pages.at(-1)?.at(-1) ?? null;
    const page = await store.reader.list(collection('Widget'), { limit, after }, null);
    if (page.outcome !== 'page') throw new Error(`expected a page, got ${page.outcome}`);
    pages.push(page.items.map((item) => item.name));
    more = page.more;
  }
  return pages;
}
