import { FakeTimers, settled } from '@platform/testkit';
import { WorkQueue } from './work-queue.ts';

function setUp() {
  const timers = new FakeTimers();
  const queue = new WorkQueue(timers);
  const received: (string | undefined)[] = [];
  const get = () => queue.get().then((key) => received.push(key));
  return { timers, queue, received, get };
}

describe('a work queue', () => {
  it('returns each key once, in order, to the caller that waited longest', async () => {
    const { queue, received, get } = setUp();
    get();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    get();
    get();
    get();
    await settled();
    // `a` was received at once, so that its second coming waits until it is done.
    expect(received).toEqual(['a', 'b', 'c']);
    queue.done('a');
    await settled();
    expect(received).toEqual(['a', 'b', 'c', 'a']);
  });

  it('does not return a key that is being processed', async () => {
    const { queue, received, get } = setUp();
    queue.add('a');
    get();
    get();
    queue.add('a');
    queue.add('a');
    await settled();
    expect(received).toEqual(['a']);
    queue.done('a');
    queue.done('a');
    get();
    await settled();
    expect(received).toEqual(['a', 'a']);
  });

  it('delays a key until the earliest of its due times', async () => {
    const { timers, queue, received, get } = setUp();
    get();
    queue.addAfter('a', 500);
    queue.addAfter('a', 200);
    queue.addAfter('a', 900);
    await timers.advance(199);
    expect(received).toEqual([]);
    await timers.advance(1);
    expect(received).toEqual(['a']);
    expect(timers.waiting).toBe(0);
  });

  it('returns a delayed key at once when it is added again', async () => {
    const { timers, queue, received, get } = setUp();
    queue.addAfter('a', 500);
    queue.add('a');
    get();
    get();
    await timers.advance(1_000);
    expect(received).toEqual(['a']);
  });

  it('ends every waiting call when it is closed', async () => {
    const { timers, queue, received, get } = setUp();
    get();
    queue.addAfter('a', 10);
    queue.close();
    queue.add('b');
    queue.addAfter('c', 10);
    get();
    await timers.advance(100);
    expect([received, timers.waiting]).toEqual([[undefined, undefined], 0]);
  });
});
