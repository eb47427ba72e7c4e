import { stateReader } from '../src/usecases/state-reader.ts';
import { FakeFeed } from './fake-feed.ts';

describe('the initial state of a stream', () => {
  it('is selected by the store, which has indexes, and not read whole', async () => {
    const feed = new FakeFeed();
    const cursor = (await feed.head()).text;
    const asked: unknown[] = [];
    const unused = async () => Promise.reject(new Error('reads everything'));
    const reader = {
      get: unused,
      all: unused,
      list: unused,
      async select(selection: unknown, range: unknown) {
        asked.push(selection, range);
        return { outcome: 'page', items: [], next: null, cursor };
      },
    };
    const state = stateReader(reader as never, feed);
    const collection = { group: 'farm.example', kind: 'Farm', ancestors: [] };
    const labels = [{ key: 'tier', operator: 'in', values: ['a'] }] as never;
    const part = { labels, fields: [], scopes: null };
    const page = await state.list(collection as never, null, null, part);
    expect(page).toMatchObject({ items: [], more: false });
    expect(asked).toEqual([
      { collection, ...part },
      { limit: 100, after: null },
    ]);
  });
});
