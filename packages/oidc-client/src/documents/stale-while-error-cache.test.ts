import { StaleWhileErrorCache } from './stale-while-error-cache.ts';

const freshness = { freshMs: 60_000, staleMs: 60_000, failureMs: 0 };

describe('a cache', () => {
  // Attack: a tenant names a thousand issuers, each with a document of a megabyte.
  it('holds values up to a size, and the value that was not used for longest makes room', async () => {
    const cache = new StaleWhileErrorCache<string>({ now: () => 0 }, { maxEntries: 100, maxSize: 1_000 });
    const fetched: string[] = [];
    const get = (key: string) =>
      cache.get(
        key,
        async () => {
          fetched.push(key);
          return key.repeat(400);
        },
        freshness,
      );
    await get('a');
    await get('b');
    await get('a');
    await get('c');
    expect(fetched).toEqual(['a', 'b', 'c']);
    await get('a');
    await get('b');
    expect(fetched).toEqual(['a', 'b', 'c', 'b']);
  });
});
