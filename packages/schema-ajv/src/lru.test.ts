import { Lru } from './lru.ts';

describe('the cache of compiled schemas', () => {
  it('drops what was not used for longest when there are too many', () => {
    const cache = new Lru<number>(2, 100);
    cache.add('a', 1, 1);
    cache.add('b', 2, 1);
    cache.get('a');
    cache.add('c', 3, 1);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('drops as many as it takes when they are too large together', () => {
    const cache = new Lru<number>(10, 10);
    for (const key of ['a', 'b', 'c']) cache.add(key, 1, 3);
    cache.add('d', 1, 9);
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual(['d']);
  });

  it('keeps nothing that is larger than all of it', () => {
    const cache = new Lru<number>(10, 10);
    cache.add('a', 1, 11);
    expect(cache.get('a')).toBeUndefined();
    cache.add('b', 1, 10);
    expect(cache.get('b')).toBe(1);
  });
});
