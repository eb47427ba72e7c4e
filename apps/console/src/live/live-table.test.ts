import type { Resource } from '../api/resource.ts';
import { cellReader } from '../logic/columns.ts';
import { LiveTable } from './live-table.ts';

const none = { added: 0, gone: 0, moved: 0, changed: 0 };
const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];

function table(): LiveTable {
  return new LiveTable(cellReader(columns), () => 1_000);
}

function resource(name: string, revision: number, size = 1): Resource {
  const metadata = {
    name,
    uid: `uid-${name}`,
    revision,
    generation: revision,
    discriminator: 'd',
    ancestors: ['acme'],
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return { apiVersion: 'example.dev/v1', kind: 'Widget', metadata, spec: { size } };
}

function names(one: LiveTable): readonly string[] {
  return one.window(0, 100).map(({ name, gone }) => (gone ? `-${name}` : name));
}

describe('LiveTable', () => {
  it('shows the order of the server while it loads', () => {
    const one = table();
    for (const name of ['a', 'b', 'c']) one.load(resource(name, 1));
    expect(names(one)).toEqual(['a', 'b', 'c']);
  });

  it('ignores changes that are older than the row, so that repeated ones undo nothing', () => {
    const one = table();
    one.load(resource('a', 5, 50));
    one.put(resource('a', 4, 40));
    one.remove('uid-a', 4);
    expect(one.window(0, 1)[0]).toMatchObject({ revision: 5, gone: false, cells: [{ text: '50' }] });
    one.remove('uid-a', 5);
    one.settle();
    expect(one.length).toBe(0);
  });

  it('shows a list that is read again in its order and under its filter', () => {
    const one = table();
    for (const name of ['a', 'b', 'c']) one.load(resource(name, 1, 2));
    one.sortBy({ column: 0, descending: false });
    one.hold(true);
    one.remove('uid-b', 2);
    one.restart();
    one.load(resource('a', 5, 9));
    one.load(resource('b', 6, 1));
    one.load(resource('c', 1, 2));
    one.retain(new Set(['uid-a', 'uid-b', 'uid-c']));
    expect([names(one), one.size]).toEqual([['a', 'b', 'c'], 3]);
    one.hold(false);
    one.settle();
    expect(names(one)).toEqual(['b', 'c', 'a']);
    one.filterBy('9');
    one.restart();
    one.load(resource('a', 7, 8));
    one.settle();
    expect(names(one)).toEqual([]);
  });

  it('forgets what was created while it was frozen when a new list does not have it', () => {
    const one = table();
    one.load(resource('a', 1));
    one.freeze(true);
    one.put(resource('b', 2));
    one.restart();
    one.load(resource('a', 1));
    one.retain(new Set(['uid-a']));
    one.freeze(false);
    one.settle();
    expect(names(one)).toEqual(['a']);
  });

  it('shows what a restored platform lists, although it knew a later state', () => {
    const one = table();
    one.load(resource('a', 5, 50));
    one.put(resource('b', 7));
    one.restart();
    one.load(resource('a', 4, 40));
    one.retain(new Set(['uid-a']));
    one.settle();
    expect(one.window(0, 9)).toMatchObject([{ name: 'a', revision: 4, cells: [{ text: '40' }] }]);
    one.put(resource('a', 3, 30));
    expect(one.window(0, 1)).toMatchObject([{ revision: 4 }]);
  });

  it('moves nothing while it is held, and counts what waits', () => {
    const one = table();
    for (const name of ['a', 'c']) one.load(resource(name, 1));
    one.hold(true);
    one.put(resource('b', 1));
    one.put(resource('c', 2, 9));
    one.remove('uid-a', 2);
    expect(one.settle()).toBe(false);
    expect(names(one)).toEqual(['-a', 'c']);
    expect(one.window(1, 2)[0]?.cells[0]?.text).toBe('9');
    expect(one.waiting).toEqual({ ...none, added: 1, gone: 1 });
    one.hold(false);
    one.settle();
    expect(names(one)).toEqual(['b', 'c']);
    expect(one.waiting).toEqual(none);
  });

  it('forgets a resource that came and went while it was held', () => {
    const one = table();
    one.hold(true);
    one.put(resource('b', 1));
    one.remove('uid-b', 2);
    expect(one.waiting).toEqual(none);
    expect(one.size).toBe(0);
  });

  it('sorts by the value of a column, absent values last, and finds text in cells', () => {
    const one = table();
    one.load(resource('a', 1, 30));
    one.load(resource('b', 1, 4));
    one.load({ ...resource('c', 1), spec: {} });
    one.sortBy({ column: 0, descending: false });
    expect(names(one)).toEqual(['b', 'a', 'c']);
    one.filterBy('30');
    expect(names(one)).toEqual(['a']);
  });

  it('drops what a new list does not have', () => {
    const one = table();
    for (const name of ['a', 'b']) one.load(resource(name, 1));
    one.retain(new Set(['uid-b']));
    one.settle();
    expect(names(one)).toEqual(['b']);
  });

  /** A table whose filter shows the first of two rows. */
  function filtered() {
    const one = table();
    one.load(resource('a', 1, 30));
    one.load(resource('b', 1, 4));
    one.filterBy('30');
    return one;
  }

  it('follows the filter: rows come and go when their text begins or ceases to match', () => {
    const one = filtered();
    one.put(resource('b', 2, 30));
    one.settle();
    expect(names(one)).toEqual(['a', 'b']);
    one.put(resource('a', 2, 5));
    one.settle();
    expect(names(one)).toEqual(['b']);
    one.filterBy('');
    expect(names(one)).toEqual(['a', 'b']);
  });

  it('counts only what the filter shows', () => {
    const one = filtered();
    one.hold(true);
    one.put(resource('c', 1, 5));
    one.remove('uid-b', 2);
    expect(one.waiting).toEqual(none);
    expect(one.size).toBe(2);
    one.put(resource('a', 2, 5));
    one.put(resource('c', 2, 30));
    expect(one.waiting).toEqual({ ...none, added: 1, gone: 1 });
    one.put(resource('a', 3, 30));
    expect(one.waiting).toEqual({ ...none, added: 1 });
    one.apply();
    expect(names(one)).toEqual(['a', 'c']);
  });

  it('changes nothing while it is frozen, counts what waits, and catches up', () => {
    const one = table();
    for (const name of ['a', 'b', 'c']) one.load(resource(name, 1));
    one.freeze(true);
    one.put(resource('a', 2, 7));
    one.put(resource('a', 3, 9));
    one.remove('uid-b', 2);
    one.put(resource('d', 1));
    one.put(resource('e', 1));
    one.remove('uid-e', 2);
    one.settle();
    expect(one.window(0, 1)[0]).toMatchObject({ revision: 1, cells: [{ text: '1' }] });
    expect(names(one)).toEqual(['a', 'b', 'c']);
    expect(one.waiting).toEqual({ added: 1, gone: 1, moved: 0, changed: 1 });
    one.apply();
    expect(names(one)).toEqual(['a', 'c', 'd']);
    expect(one.window(0, 1)[0]?.cells[0]?.text).toBe('9');
    one.remove('uid-c', 2);
    expect(names(one)).toEqual(['a', 'c', 'd']);
    one.freeze(false);
    one.settle();
    expect(names(one)).toEqual(['a', 'd']);
  });
});
