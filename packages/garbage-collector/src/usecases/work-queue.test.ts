import { WorkQueue } from './work-queue.ts';

describe('the work queue', () => {
  it('fills a batch with every row once, within the limit, and with none that was processed meanwhile', () => {
    const queue = new WorkQueue();
    for (const uid of ['a', 'b', 'c', 'd', 'a']) queue.rows.set(uid, 'tombstone');
    queue.processed('c');
    expect(queue.nextRows(2)).toEqual({ uids: ['a', 'b'], isFull: true });
    queue.processed('a');
    queue.processed('b');
    expect(queue.nextRows(2)).toEqual({ uids: ['d'], isFull: false });
    queue.processed('d');
    expect(queue.nextRows(2)).toEqual({ uids: [], isFull: false });
    expect(queue.empty).toBe(true);
  });

  it('takes live rows with the tombstones above them, at most four for each that fits', () => {
    const queue = new WorkQueue();
    for (const tree of ['a', 'b', 'c']) {
      queue.rows.set(tree, 'tombstone');
      for (const child of [1, 2, 3]) queue.rows.set(`${tree}${child}`, 'live');
    }
    expect(queue.nextRows(2)).toEqual({ uids: ['a', 'a1', 'a2', 'a3', 'b', 'b1', 'b2', 'b3'], isFull: true });
    expect(queue.nextRows(1)).toEqual({ uids: ['a', 'a1', 'a2', 'a3'], isFull: true });
    queue.processed('a');
    expect(queue.nextRows(1)).toEqual({ uids: ['a1', 'a2', 'a3', 'b', 'b1'], isFull: true });
    expect(queue.nextRows(3)).toMatchObject({ uids: { length: 11 }, isFull: false });
  });

  it('traverses from the row that was added last, each once, and not from one that is gone', () => {
    const queue = new WorkQueue();
    for (const uid of ['a', 'b', 'b', 'c']) queue.seeds.add(uid);
    queue.forget('c');
    expect(queue.takeSeeds(10)).toEqual(['b', 'a']);
    expect(queue.empty).toBe(true);
  });
});
