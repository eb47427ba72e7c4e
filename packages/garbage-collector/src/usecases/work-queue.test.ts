import { BlockedOwnersCache } from './blocked-owners-cache.ts';
import { WorkQueue } from './work-queue.ts';

const blockedBy = (uid: string) => ({
  revision: 1,
  blocker: { uid, revision: 1, live: false },
  dependentsMarked: true,
});

describe('the work queue', () => {
  it('returns every row once, within the limit, and none that was processed meanwhile', () => {
    const queue = new WorkQueue();
    queue.addSubtree(['a', 'b', 'c', 'd', 'a']);
    queue.processed('c');
    expect(queue.nextSubtree(2)).toEqual(['a', 'b']);
    expect(queue.nextSubtree(2)).toEqual(['d']);
    expect(queue.nextSubtree(2)).toEqual([]);
  });

  it('adds the owners that a row blocks in turn, so that a chain goes in one batch', () => {
    const queue = new WorkQueue();
    const blocked = new BlockedOwnersCache(10);
    blocked.set('b', blockedBy('a'));
    blocked.set('c', blockedBy('b'));
    blocked.set('d', blockedBy('c'));
    queue.requeueOwner('a');
    expect(queue.nextOwners(3, blocked)).toEqual(['a', 'b', 'c']);
  });

  it('traverses from the row that was added last, each once, and not from one that is gone', () => {
    const queue = new WorkQueue();
    for (const uid of ['a', 'b', 'b', 'c']) queue.addTraversal(uid);
    queue.forget('c');
    expect(queue.nextTraversals(10).map(({ uid }) => uid)).toEqual(['b', 'a']);
  });
});
