import { BlockedOwnersCache } from './blocked-owners-cache.ts';

const blocker = { uid: 'w', revision: 1, live: false };
const tombstone = (uid: string, revision = 1) => ({ uid, revision, since: 0 });

/** Rows that exist, by uid, with their revisions. */
function storeOf(rows: Record<string, number>) {
  const asked: string[] = [];
  return {
    asked,
    async revisions(uids: readonly string[]) {
      asked.push(...uids);
      return new Map(Object.entries(rows).filter(([uid]) => uids.includes(uid)));
    },
  };
}

describe('the cache of blocked owners', () => {
  it('leaves out tombstones while neither they nor their blockers have changed, at one look-up', async () => {
    const blocked = new BlockedOwnersCache();
    for (const uid of ['a', 'b', 'c']) blocked.set(uid, { revision: 1, blocker });
    blocked.set('held', { revision: 1, blocker: null });
    const store = storeOf({ w: 1 });
    const page = [tombstone('a'), tombstone('b', 2), tombstone('held'), tombstone('unknown')];
    expect(await blocked.takeChanged(page, store)).toEqual(['b', 'unknown']);
    expect(store.asked).toEqual(['w']);
  });

  it.each([{ w: 2 }, {}])('returns tombstones whose blocker has changed or is gone: %j', async (rows) => {
    const blocked = new BlockedOwnersCache();
    blocked.set('a', { revision: 1, blocker });
    expect(await blocked.takeChanged([tombstone('a')], storeOf(rows))).toEqual(['a']);
    expect(blocked.get('a')).toBeUndefined();
  });

  it('evicts the oldest entry rather than growing beyond its bound', () => {
    const blocked = new BlockedOwnersCache(2);
    for (const uid of ['a', 'b', 'a', 'c']) blocked.set(uid, { revision: 1, blocker });
    expect(blocked.size).toBe(2);
    expect(blocked.get('b')).toBeUndefined();
  });
});
