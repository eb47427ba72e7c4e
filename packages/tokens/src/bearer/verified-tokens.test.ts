import { VerifiedTokens } from './verified-tokens.ts';

describe('the cache of verified tokens', () => {
  it('forgets a token the moment it expires', () => {
    const cache = new VerifiedTokens<string>(10);
    cache.set('a', 'alice', 100);
    expect(cache.get('a', 99)).toBe('alice');
    expect(cache.get('a', 100)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('never holds more than its capacity: the least recently used makes room', () => {
    const cache = new VerifiedTokens<string>(2);
    cache.set('a', 'alice', 100);
    cache.set('b', 'bob', 100);
    cache.get('a', 1);
    cache.set('c', 'carol', 100);
    expect(cache.size).toBe(2);
    expect([cache.get('a', 1), cache.get('b', 1), cache.get('c', 1)]).toEqual(['alice', undefined, 'carol']);
  });

  it('goes by the last second in which each was used', () => {
    const cache = new VerifiedTokens<string>(2);
    cache.set('a', 'alice', 100);
    cache.set('b', 'bob', 100);
    for (const [key, now] of [
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ] as const)
      cache.get(key, now);
    cache.set('c', 'carol', 100);
    expect([cache.get('a', 3), cache.get('b', 3)]).toEqual(['alice', undefined]);
  });
});
