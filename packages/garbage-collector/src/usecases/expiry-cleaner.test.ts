import { fakeClock, recordingLogger } from '@platform/development/testing';
import type { CleanupTask } from '../ports/cleanup-task.ts';
import type { CollectorMetrics } from '../ports/metrics.ts';
import { ExpiryCleaner } from './expiry-cleaner.ts';

function setUp(tasks: readonly CleanupTask[]) {
  const clock = fakeClock();
  const logger = recordingLogger();
  const cleaned: [string, number | null][] = [];
  const metrics = {
    cleaned: (task: string, rows: number | null) => void cleaned.push([task, rows]),
  } as CollectorMetrics;
  return { clock, logger, cleaned, cleaner: new ExpiryCleaner(tasks, { clock, logger, metrics }) };
}

/** A task that returns these numbers, one a run, and then 0. */
function task(name: string, rows: (number | Error)[]): CleanupTask {
  return {
    name,
    intervalMs: 60_000,
    async run() {
      const next = rows.shift() ?? 0;
      if (next instanceof Error) throw next;
      return next;
    },
  };
}

describe('the expiry cleaner', () => {
  it('runs a task again while it is full, and then not before its interval', async () => {
    const { clock, cleaner, cleaned } = setUp([task('a', [1_000, 1_000, 7, 3])]);
    await cleaner.run(() => true);
    expect(cleaned).toEqual([['a', 2_007]]);
    clock.advance(59_999);
    await cleaner.run(() => true);
    expect(cleaned).toHaveLength(1);
    clock.advance(1);
    await cleaner.run(() => true);
    expect(cleaned.at(-1)).toEqual(['a', 3]);
  });

  it('lets the others run when one fails, and tries that one again in its turn', async () => {
    const { clock, cleaner, cleaned, logger } = setUp([task('a', [new Error('no'), 5]), task('b', [2])]);
    await cleaner.run(() => true);
    expect(cleaned).toEqual([
      ['a', null],
      ['b', 2],
    ]);
    expect(logger.fieldsOf('collector: expired rows could not be deleted')).toMatchObject([{ task: 'a' }]);
    clock.advance(60_000);
    await cleaner.run(() => true);
    expect(cleaned).toContainEqual(['a', 5]);
  });

  it('stops between two batches when it may not continue', async () => {
    let runs = 0;
    const { cleaner } = setUp([
      {
        name: 'a',
        intervalMs: 1,
        run: async () => {
          runs += 1;
          return 1_000;
        },
      },
    ]);
    await cleaner.run(() => runs < 3);
    expect(runs).toBe(3);
  });

  it('gives way to the garbage collector after twenty full runs, and is due again at once', async () => {
    const { clock, cleaner, cleaned } = setUp([task('a', Array<number>(25).fill(1_000))]);
    await cleaner.run(() => true);
    expect(cleaned).toEqual([['a', 20_000]]);
    expect(cleaner.nextAt).toBe(clock.now());
  });
});
