import { FakeTimers, settled } from '@platform/development/testing';
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

  it('lets keys that failed through at one rate for all of them, after a burst', async () => {
    const timers = new FakeTimers();
    const queue = new WorkQueue(timers, { baseMs: 10, capMs: 1_000 }, undefined, { perSecond: 2, burst: 3 });
    const waits = ['a', 'b', 'c', 'd', 'e'].map((key) => queue.addRateLimited(key));
    const own = { delayMs: 8, limitedBy: 'failures' };
    expect(waits).toEqual([
      own,
      own,
      own,
      { delayMs: 500, limitedBy: 'rate' },
      { delayMs: 1_000, limitedBy: 'rate' },
    ]);
    await timers.advance(999);
    expect(queue.depth).toEqual({ ready: 4, processing: 0, delayed: 1 });
    await timers.advance(1);
    expect(queue.depth.ready).toBe(5);
    // Two seconds later the bucket has four tokens, of which it keeps three, and one has been lent.
    await timers.advance(2_000);
    expect(['f', 'g', 'h', 'i'].map((key) => queue.addRateLimited(key).delayMs)).toEqual([8, 8, 8, 500]);
  });

  it('makes a key that fails again and again wait for its own failures, not for others', async () => {
    const { timers, queue } = setUp();
    const waits = [];
    for (let failure = 0; failure < 9; failure += 1) {
      waits.push(queue.addRateLimited('a').delayMs);
      await timers.advance(60_000);
    }
    expect(waits).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000]);
  });

  it('adds a changed key at once, however many failed', async () => {
    const { timers, queue } = setUp();
    for (let key = 0; key < 1_000; key += 1) queue.addRateLimited(`${key}`);
    expect(queue.addRateLimited('changed')).toEqual({ delayMs: 90_100, limitedBy: 'rate' });
    queue.add('changed');
    await timers.advance(0);
    expect(queue.depth).toEqual({ ready: 1, processing: 0, delayed: 1_000 });
  });

  it.each([
    { perSecond: 0, burst: 1 },
    { perSecond: -1, burst: 1 },
    { perSecond: Number.NaN, burst: 1 },
    { perSecond: 1, burst: 0 },
  ])('refuses the limit %j, which would let nothing through', (limit) => {
    expect(() => new WorkQueue(new FakeTimers(), undefined, undefined, limit)).toThrow(TypeError);
  });

  it('has no rate for all keys when that is infinite', () => {
    const limit = { perSecond: Number.POSITIVE_INFINITY, burst: 1 };
    const queue = new WorkQueue(new FakeTimers(), undefined, undefined, limit);
    for (let key = 0; key < 1_000; key += 1)
      expect(queue.addRateLimited(`${key}`).limitedBy).toBe('failures');
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
