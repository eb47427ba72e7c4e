import { readBoundedPage } from './bounded-page.ts';

/** A list of so many items of so many bytes each; records the limits that were asked for. */
function list(count: number, bytes: number) {
  const limits: number[] = [];
  const all = Array.from({ length: count }, (_, index) => ({ index, text: 'x'.repeat(bytes) }));
  const read = async (limit: number, last: { readonly index: number } | null) => {
    limits.push(limit);
    const from = last === null ? 0 : last.index + 1;
    return { items: all.slice(from, from + limit), more: from + limit < count };
  };
  return { limits, read };
}

describe('a bounded page', () => {
  it('of small items is read in two parts, up to its limit', async () => {
    const { limits, read } = list(1_000, 100);
    const { items, more } = await readBoundedPage(700, read);
    expect([items.length, more, limits]).toEqual([700, true, [100, 600]]);
    expect(items.map(({ index }) => index)).toEqual(Array.from({ length: 700 }, (_, index) => index));
  });

  it('of large items ends early, and never reads many more of them than fit', async () => {
    const { limits, read } = list(1_000, 1024 * 1024);
    const { items, more } = await readBoundedPage(1_000, read);
    expect([items.length, more, limits]).toEqual([15, true, [100]]);
    const medium = list(1_000, 100 * 1024);
    expect((await readBoundedPage(1_000, medium.read)).items).toHaveLength(163);
    expect(medium.limits).toEqual([100, 64]);
  });

  it('has one item at least, however large', async () => {
    const { read } = list(2, 20 * 1024 * 1024);
    const { items, more } = await readBoundedPage(10, read);
    expect([items.length, more]).toEqual([1, true]);
  });

  it('ends with the list', async () => {
    const { read } = list(60, 10);
    const { items, more } = await readBoundedPage(1_000, read);
    expect([items.length, more]).toEqual([60, false]);
    expect(await readBoundedPage(10, list(0, 0).read)).toEqual({ items: [], more: false });
  });
});
