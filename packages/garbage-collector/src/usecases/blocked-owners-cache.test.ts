import { BlockedOwnersCache } from './blocked-owners-cache.ts';

const blocker = { uid: 'w', revision: 1, live: false };

describe('the cache of blocked owners', () => {
  it('knows which owners a row blocks, until that changes', () => {
    const blocked = new BlockedOwnersCache(10);
    blocked.set('a', { revision: 1, blocker, dependentsMarked: false });
    blocked.set('b', { revision: 1, blocker, dependentsMarked: false });
    blocked.set('b', { revision: 2, blocker: null, dependentsMarked: true });
    expect(blocked.blockedBy('w')).toEqual(['a']);
    blocked.delete('a');
    expect(blocked.blockedBy('w')).toEqual([]);
  });

  it('counts the attempts at a row, until it is deleted', () => {
    const blocked = new BlockedOwnersCache(10);
    expect(blocked.setDependentsMarked('a')).toBe(false);
    for (const revision of [1, 2]) blocked.set('a', { revision, blocker, dependentsMarked: false });
    expect(blocked.setDependentsMarked('a')).toBe(true);
    expect(blocked.get('a')).toEqual({ revision: 2, blocker, dependentsMarked: true, attempts: 2 });
    blocked.delete('a');
    blocked.set('a', { revision: 3, blocker, dependentsMarked: false });
    expect(blocked.get('a')?.attempts).toBe(1);
  });

  it('evicts the oldest entry rather than growing beyond its bound', () => {
    const blocked = new BlockedOwnersCache(2);
    for (const uid of ['a', 'b', 'c']) blocked.set(uid, { revision: 1, blocker, dependentsMarked: false });
    expect(blocked.size).toBe(2);
    expect(blocked.get('a')).toBeUndefined();
    expect(blocked.blockedBy('w')).toEqual(['b', 'c']);
  });
});
