import { StorageUnavailable } from '@platform/kernel';
import { type AdmissionLimits, AdmissionQueue } from './admission-queue.ts';
import { Batcher } from './batcher.ts';

const limits = { maxRunning: 1, maxWaiting: 10, maxWaitingBytes: 1_000, maxWaitMs: 1_000 };

/** A queue with flows whose units end when the test says so; a unit is its number of bytes. */
function fixture(changes: Partial<AdmissionLimits> = {}) {
  const queue = new AdmissionQueue({ ...limits, ...changes });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const flow = (maxRunning: number) =>
    new Batcher<number, number>(
      queue,
      { maxRunning, maxCount: 1, maxBytes: 0 },
      async ([unit = 0]) => {
        started.push(unit);
        await new Promise<void>((resolve) => ends.push(resolve));
        return [unit];
      },
      (bytes) => bytes,
    );
  return { queue, started, flow, end: () => ends.shift()?.() };
}

const refused = { code: 'unavailable' };

describe('the admission queue', () => {
  it('starts units of all flows in the order in which they arrived', async () => {
    const { queue, started, flow, end } = fixture();
    const [one, other] = [flow(1), flow(1)];
    const units = [one.add(1), other.add(2), one.add(3), other.add(4)];
    expect(queue.load).toEqual({ active: 1, waiting: 3 });
    for (const unit of units) {
      end();
      await unit;
    }
    expect(started).toEqual([1, 2, 3, 4]);
    expect(queue.load).toEqual({ active: 0, waiting: 0 });
  });

  it('leaves connections to other flows when one is at its limit', async () => {
    const { started, flow } = fixture({ maxRunning: 3 });
    const [slow, other] = [flow(2), flow(3)];
    for (const unit of [1, 2, 3]) void slow.add(unit).catch(() => undefined);
    void other.add(4).catch(() => undefined);
    expect(started).toEqual([1, 2, 4]);
  });

  it('refuses units above the limit in number', async () => {
    const { flow, end } = fixture({ maxWaiting: 1 });
    const one = flow(1);
    const units = [one.add(1), one.add(2)];
    await expect(one.add(3)).rejects.toMatchObject(refused);
    for (const unit of units) {
      end();
      await unit;
    }
  });

  it('refuses units above the limit in bytes, whatever their number, and takes others when some have left', async () => {
    const { flow, end } = fixture();
    const [one, other] = [flow(1), flow(1)];
    const running = one.add(900);
    const waiting = [one.add(600), other.add(400)];
    await expect(other.add(1)).rejects.toMatchObject(refused);
    end();
    await running;
    void other.add(600).catch(() => undefined);
    end();
    expect(await Promise.race(waiting)).toBe(600);
  });

  it('refuses the units that have waited too long', async () => {
    const { queue, flow, end } = fixture({ maxWaitMs: 16 });
    const one = flow(1);
    const running = one.add(1);
    await expect(one.add(2)).rejects.toMatchObject(refused);
    expect(queue.load.waiting).toBe(0);
    end();
    await running;
  });

  it.each([1, 4])(
    'starts what comes after everything that waited was refused (batches of %d)',
    async (maxCount) => {
      const { queue, flow, end } = fixture();
      const other = flow(1);
      const batcher = new Batcher<number, number>(
        queue,
        { maxRunning: 1, maxCount, maxBytes: 100 },
        async (items) => items,
      );
      const running = other.add(1);
      const waiting = batcher.add(2);
      queue.refuseWaiting(new StorageUnavailable('The database does not answer.'));
      await expect(waiting).rejects.toMatchObject(refused);
      await new Promise((resolve) => setImmediate(resolve));
      end();
      await running;
      expect(await batcher.add(3)).toBe(3);
    },
  );

  it('once closed, refuses new units and runs those that came before', async () => {
    const { queue, flow, end } = fixture();
    const one = flow(1);
    const units = [one.add(1), one.add(2)];
    let closed = false;
    const closing = queue.close().then(() => {
      closed = true;
    });
    await expect(one.add(3)).rejects.toMatchObject(refused);
    end();
    await units[0];
    expect(closed).toBe(false);
    end();
    await units[1];
    await closing;
  });
});
