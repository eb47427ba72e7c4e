import type { Resource } from '../api/resource.ts';
import { LiveTable } from './live-table.ts';
import { RowPlaces } from './row-places.ts';

function resource(name: string, revision = 1): Resource {
  const metadata = { name, uid: `uid-${name}`, revision, ancestors: [], labels: {}, annotations: {} };
  return { apiVersion: 'example.dev/v1', kind: 'Widget', metadata } as unknown as Resource;
}

function tableOf(...names: readonly string[]): LiveTable {
  const table = new LiveTable(
    () => [],
    () => 0,
  );
  for (const name of names) table.load(resource(name));
  return table;
}

function add(table: LiveTable, name: string): void {
  table.put(resource(name));
  table.settle();
}

function remove(table: LiveTable, name: string): void {
  table.remove(`uid-${name}`, 2);
  table.settle();
}

describe('RowPlaces', () => {
  it('keeps the keys on a row while others come and go above it', () => {
    const [table, places] = [tableOf('b', 'd', 'e'), new RowPlaces()];
    places.focusOn({ request: 1, at: 1, uid: 'uid-d' });
    add(table, 'a');
    expect(places.focus(table, true)).toMatchObject({ request: 1, at: 2, row: { name: 'd' } });
    remove(table, 'b');
    expect(places.focus(table, true)).toMatchObject({ at: 1, row: { name: 'd' } });
    table.sortBy({ column: 'name', descending: true });
    expect(places.focus(table, true)).toMatchObject({ at: 1, row: { name: 'd' } });
  });

  it('puts the keys on the next row when theirs is gone, and follows that one', () => {
    const [table, places] = [tableOf('b', 'd', 'e'), new RowPlaces()];
    places.focusOn({ request: 1, at: 1, uid: 'uid-d' });
    remove(table, 'd');
    expect(places.focus(table, true)).toMatchObject({ at: 1, row: { name: 'e' } });
    add(table, 'a');
    expect(places.focus(table, true)).toMatchObject({ at: 2, row: { name: 'e' } });
    remove(table, 'e');
    expect(places.focus(table, true)).toMatchObject({ at: 1, row: { name: 'b' } });
  });

  it('goes to a place whose row the page does not know', () => {
    const [table, places] = [tableOf('b', 'd', 'e'), new RowPlaces()];
    places.focusOn({ request: 1, at: 2 });
    expect(places.focus(table, true)).toMatchObject({ at: 2, row: { name: 'e' } });
    add(table, 'a');
    expect(places.focus(table, true)).toMatchObject({ at: 3, row: { name: 'e' } });
  });

  it('waits for a row that a list which is still read may have, and is on the first row before anybody chose one', () => {
    const [table, places] = [tableOf('b'), new RowPlaces()];
    add(table, 'a');
    expect(places.focus(table, false)).toMatchObject({ request: 0, at: 0, row: { name: 'a' } });
    places.focusOn({ request: 1, at: 1, uid: 'uid-d' });
    expect(places.focus(table, false)).toMatchObject({ at: 1, row: { name: 'b' } });
    add(table, 'd');
    expect(places.focus(table, true)).toMatchObject({ at: 2, row: { name: 'd' } });
  });

  it('follows the first row in sight, and none at the beginning of a table', () => {
    const [table, places] = [tableOf('b', 'd', 'e'), new RowPlaces()];
    places.seeFrom(1, table);
    add(table, 'a');
    expect(places.top(table)).toEqual({ was: 1, at: 2 });
    remove(table, 'd');
    expect(places.top(table)).toEqual({ was: 1, at: 1 });
    places.seeFrom(null, table);
    expect(places.top(table)).toEqual({ was: null, at: 0 });
  });
});
