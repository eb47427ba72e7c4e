import { setTimeout as sleep } from 'node:timers/promises';
import { whileHeld } from '@platform/development/testing';
import { retrying } from '@platform/postgres';
import { below, byUid, creation, given, reread, testChange } from '../test/rows.ts';
import { testStore } from '../test/store.ts';

const fixture = testStore({ lockTimeoutMs: 20 });

describe('a unit of work', () => {
  const patient = testStore();

  it('is run again as a whole after a deadlock, and both sides end', async () => {
    const rows = [await given(patient.store), await given(patient.store)] as const;
    let attempts = 0;
    let arrived = 0;
    const meet = async () => {
      arrived += 1;
      while (arrived < 2) await new Promise((resolve) => setImmediate(resolve));
    };
    const lockInOrder = (order: readonly (0 | 1)[]) =>
      patient.store.transactions.run(async ({ deletion }) => {
        attempts += 1;
        for (const index of order) {
          await deletion.lock(byUid(rows[index]), null);
          await meet();
        }
        return 'done';
      });
    expect(await Promise.all([lockInOrder([0, 1]), lockInOrder([1, 0])])).toEqual(['done', 'done']);
    expect(attempts).toBeGreaterThan(2);
  });

  it('ends as contention after one lock timeout, and has written nothing', async () => {
    const row = await given(fixture.store);
    let attempts = 0;
    await whileHeld(
      fixture.database,
      [`select from resources where uid = '${row.uid}' for update`],
      async () => {
        const attempt = fixture.store.transactions.run(async ({ deletion }) => {
          attempts += 1;
          await deletion.lock(byUid(row), null);
        });
        await expect(attempt).rejects.toMatchObject({ code: 'contention' });
      },
    );
    expect(attempts).toBe(1);
    expect(await reread(fixture.store, row)).toEqual(row);
  });
});

describe('while a session holds a lock on the whole table', () => {
  it('reads are unavailable and writes are contention, and nothing is written', async () => {
    const { store, database } = fixture;
    const row = await given(store);
    await whileHeld(database, ['lock table resources in access exclusive mode'], async () => {
      const ends = await Promise.allSettled([
        store.reader.get(byUid(row), null),
        store.reader.list(below('Widget'), { limit: 10, after: null }, null),
        store.writer.create(creation()),
        store.writer.removeLeaf({ change: testChange, definition: null, ref: byUid(row) }),
        store.transactions.run(({ deletion }) => deletion.lock(byUid(row), null)),
      ]);
      expect(ends.map((end) => (end.status === 'rejected' ? end.reason.code : end))).toEqual([
        'unavailable',
        'unavailable',
        'contention',
        'contention',
        'contention',
      ]);
    });
    expect(await reread(store, row)).toEqual(row);
  });
});

describe('retrying', () => {
  const failing = (code: string, times: number) => {
    let count = 0;
    return async () => {
      count += 1;
      if (count <= times) throw Object.assign(new Error(code), { code });
      return count;
    };
  };

  it.each(['40P01', '40001', '55P03'])('runs again after %s', async (code) => {
    expect(await retrying(failing(code, 2))).toBe(3);
  });

  it('lets the other side of a deadlock end, and runs such works again one at a time', async () => {
    const attemptMs = 100;
    let running = 0;
    let most = 0;
    const deadlocked = () => {
      let endedAt = 0;
      return retrying(async () => {
        if (endedAt === 0) {
          await sleep(attemptMs);
          endedAt = performance.now();
          throw Object.assign(new Error('deadlock'), { code: '40P01' });
        }
        const pauseMs = performance.now() - endedAt;
        running += 1;
        most = Math.max(most, running);
        await sleep(attemptMs);
        running -= 1;
        return pauseMs;
      });
    };
    const pauses = await Promise.all([deadlocked(), deadlocked(), deadlocked()]);
    expect(Math.min(...pauses)).toBeGreaterThan(attemptMs / 3);
    expect(most).toBe(1);
  });

  it('ends as contention after six attempts', async () => {
    const work = failing('40P01', 6);
    await expect(retrying(work)).rejects.toMatchObject({ code: 'contention' });
    expect(await work()).toBe(7);
  });

  it('leaves other errors to the caller at once', async () => {
    await expect(retrying(failing('23505', 1))).rejects.toMatchObject({ code: '23505' });
  });
});
