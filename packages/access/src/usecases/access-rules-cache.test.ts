import { AccessRulesCache } from './access-rules-cache.ts';

function source() {
  const asked: ((version: string) => void)[] = [];
  let loads = 0;
  return {
    asked,
    loads: () => loads,
    load: async () => ({ version: `v${++loads}`, roles: [], bindings: [], serviceAccounts: new Map() }),
    version: () => new Promise<string>((resolve) => asked.push(resolve)),
  };
}

describe('the cache of roles and bindings', () => {
  it('reads them once until they are forgotten', async () => {
    const from = source();
    const cache = new AccessRulesCache(from);
    const [first, second] = await Promise.all([cache.current(), cache.current()]);
    expect(second).toBe(first);
    cache.forget(first);
    expect((await cache.current()).version).toBe('v2');
    cache.forget(first);
    expect((await cache.current()).version).toBe('v2');
  });

  it('confirms with a query that begins after the question, one for all that wait', async () => {
    const from = source();
    const cache = new AccessRulesCache(from);
    const rules = await cache.current();
    const first = cache.isCurrent(rules);
    const later = [cache.isCurrent(rules), cache.isCurrent(rules)];
    expect(from.asked).toHaveLength(1);
    from.asked[0]?.('v1');
    expect(await first).toBe(true);
    await new Promise(setImmediate);
    expect(from.asked).toHaveLength(2);
    from.asked[1]?.('v9');
    expect(await Promise.all(later)).toEqual([false, false]);
  });

  it('asks again after a query that failed', async () => {
    const from = source();
    let fails = true;
    const cache = new AccessRulesCache({
      load: from.load,
      version: async () => {
        if (fails) throw new Error('no database');
        return 'v1';
      },
    });
    const rules = await cache.current();
    await expect(cache.isCurrent(rules)).rejects.toThrow('no database');
    fails = false;
    expect(await cache.isCurrent(rules)).toBe(true);
  });
});
