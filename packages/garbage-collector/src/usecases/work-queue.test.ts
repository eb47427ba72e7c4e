import { WorkQueue } from './work-queue.ts';

describe('the work queue', () => {
  it('returns every row once, within the limit, and none that was processed meanwhile', () => {
    const queue = new WorkQueue();
    for (const uid of ['a', 'b', 'c', 'd', 'a']) queue.rows.add(uid);
    queue.processed('c');
    expect(queue.takeRows(2)).toEqual(['a', 'b']);
    expect(queue.takeRows(2)).toEqual(['d']);
    expect(queue.takeRows(2)).toEqual([]);
    expect(queue.empty).toBe(true);
  });

  it('traverses from the row that was added last, each once, and not from one that is gone', () => {
    const queue = new WorkQueue();
    for (const uid of ['a', 'b', 'b', 'c']) queue.seeds.add(uid);
    queue.forget('c');
    expect(queue.takeSeeds(10)).toEqual(['b', 'a']);
    expect(queue.empty).toBe(true);
  });
});
