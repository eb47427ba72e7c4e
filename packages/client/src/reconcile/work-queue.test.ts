import { FakeTimers, settled } from '@platform/testkit';
import { WorkQueue } from './work-queue.ts';

function setUp() {
  const timers = new FakeTimers();
  const queue = new WorkQueue(timers);
  const taken: (string | undefined)[] = [];
  const take = () => queue.take().then((key) => taken.push(key));
  return { timers, queue, taken, take };
}

describe('a work queue', () => {
  it('hands out each key once, in the order of their coming, to whoever waited first', async () => {
    const { queue, taken, take } = setUp();
    take();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    take();
    take();
    take();
    await settled();
    // `a` was taken at once, so that its second coming waits until it is done.
    expect(taken).toEqual(['a', 'b', 'c']);
    queue.done('a');
    await settled();
    expect(taken).toEqual(['a', 'b', 'c', 'a']);
  });

  it('never hands out a key that is worked on', async () => {
    const { queue, taken, take } = setUp();
    queue.add('a');
    take();
    take();
    queue.add('a');
    queue.add('a');
    await settled();
    expect(taken).toEqual(['a']);
    queue.done('a');
    queue.done('a');
    take();
    await settled();
    expect(taken).toEqual(['a', 'a']);
  });

  it('keeps a key back until its time, the earliest of several', async () => {
    const { timers, queue, taken, take } = setUp();
    take();
    queue.addLater('a', 500);
    queue.addLater('a', 200);
    queue.addLater('a', 900);
    await timers.advance(199);
    expect(taken).toEqual([]);
    await timers.advance(1);
    expect(taken).toEqual(['a']);
    expect(timers.waiting).toBe(0);
  });

  it('lets a key come at once that was to come later', async () => {
    const { timers, queue, taken, take } = setUp();
    queue.addLater('a', 500);
    queue.add('a');
    take();
    take();
    await timers.advance(1_000);
    expect(taken).toEqual(['a']);
  });

  it('lets everyone go when it is closed', async () => {
    const { timers, queue, taken, take } = setUp();
    take();
    queue.addLater('a', 10);
    queue.close();
    queue.add('b');
    queue.addLater('c', 10);
    take();
    await timers.advance(100);
    expect([taken, timers.waiting]).toEqual([[undefined, undefined], 0]);
  });
});
