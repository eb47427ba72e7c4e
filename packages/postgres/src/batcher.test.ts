import { AdmissionQueue } from './admission-queue.ts';
import { Batcher } from './batcher.ts';

const limits = { maxCount: 4, maxBytes: 100, maxRunning: 1 };

const queue = () =>
  new AdmissionQueue({ maxRunning: 10, maxWaiting: 100, maxWaitingBytes: 10_000, maxWaitMs: 10_000 });

/** Batches are recorded, and end when the test says so. */
function recorded(changes: Partial<typeof limits> = {}) {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<number, string>(
    queue(),
    { ...limits, ...changes },
    async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item) => `r${item}`);
    },
    (item) => item,
  );
  return { batcher, batches, end: () => ends.shift()?.() };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('Batcher', () => {
  it('runs an item that is alone at the end of its tick', async () => {
    const { batcher, batches, end } = recorded();
    const result = batcher.add(1);
    expect(batches).toEqual([]);
    await nextTick();
    expect(batches).toEqual([[1]]);
    end();
    expect(await result).toBe('r1');
  });

  it('runs the items of one tick together, each with its own result', async () => {
    const { batcher, batches, end } = recorded();
    const results = Promise.all([1, 2, 3].map((item) => batcher.add(item)));
    await nextTick();
    end();
    expect(await results).toEqual(['r1', 'r2', 'r3']);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('gathers what comes while a batch runs, and runs it next', async () => {
    const { batcher, batches, end } = recorded();
    const first = batcher.add(1);
    await nextTick();
    const rest = [batcher.add(2), batcher.add(3)];
    await nextTick();
    expect(batches).toEqual([[1]]);
    end();
    await first;
    await nextTick();
    expect(batches).toEqual([[1], [2, 3]]);
    end();
    expect(await Promise.all(rest)).toEqual(['r2', 'r3']);
  });

  it('waits one more tick for company while a batch is running', async () => {
    const { batcher, batches, end } = recorded({ maxRunning: 3 });
    const results = [batcher.add(1)];
    await nextTick();
    results.push(batcher.add(2));
    await nextTick();
    results.push(batcher.add(3));
    await nextTick();
    expect(batches).toEqual([[1], [2, 3]]);
    end();
    end();
    expect(await Promise.all(results)).toEqual(['r1', 'r2', 'r3']);
  });

  it('starts a full batch without waiting for more', async () => {
    const { batcher, batches } = recorded({ maxRunning: 3 });
    void batcher.add(1).catch(() => undefined);
    await nextTick();
    for (const item of [2, 3, 4, 5]) void batcher.add(item).catch(() => undefined);
    await nextTick();
    expect(batches).toEqual([[1], [2, 3, 4, 5]]);
  });

  it('runs as many batches at once as it may', async () => {
    const { batcher, batches, end } = recorded({ maxCount: 1, maxRunning: 2 });
    const results = Promise.all([1, 2, 3].map((item) => batcher.add(item)));
    await nextTick();
    expect(batches).toEqual([[1], [2]]);
    for (let each = 0; each < 3; each += 1) {
      end();
      await nextTick();
      await nextTick();
    }
    expect(await results).toEqual(['r1', 'r2', 'r3']);
  });

  it('keeps a batch within its count and its bytes, and lets a larger item run alone', async () => {
    const { batcher, batches } = recorded({ maxRunning: 10 });
    for (const item of [1, 2, 3, 4, 5, 60, 50, 500, 1]) void batcher.add(item).catch(() => undefined);
    await nextTick();
    expect(batches).toEqual([[1, 2, 3, 4], [5, 60], [50], [500], [1]]);
  });

  it('fails a batch as a whole, and goes on', async () => {
    let fail = true;
    const batcher = new Batcher<number, string>(queue(), limits, async (items) => {
      if (fail) throw new Error('no');
      return items.map(String);
    });
    const outcomes = await Promise.allSettled([1, 2].map((item) => batcher.add(item)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    fail = false;
    expect(await batcher.add(3)).toBe('3');
  });

  it('lets an item that takes longer hold up neither its batch nor the next', async () => {
    let finish: (value: string) => void = () => {};
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const batcher = new Batcher<number, string>(queue(), limits, async (items) =>
      items.map((item) => (item === 1 ? slow : String(item))),
    );
    const [first, second] = [batcher.add(1), batcher.add(2)];
    expect(await second).toBe('2');
    expect(await batcher.add(3)).toBe('3');
    finish('late');
    expect(await first).toBe('late');
  });

  it('runs each item alone and at once where a batch has one item', () => {
    const { batcher, batches } = recorded({ maxCount: 1, maxRunning: 2 });
    for (const item of [1, 2, 3]) void batcher.add(item).catch(() => undefined);
    expect(batches).toEqual([[1], [2]]);
  });
});
