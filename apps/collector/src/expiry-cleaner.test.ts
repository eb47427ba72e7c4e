import { fakeClock, recordingLogger } from '@platform/development/testing';
import { type CleanupTask, ExpiryCleaner } from './expiry-cleaner.ts';

function setUp(tasks: readonly CleanupTask[], mayRun = () => true) {
  const clock = fakeClock();
  const logger = recordingLogger();
  const cleaned: [string, number | null][] = [];
  const report = (task: string, rows: number | null) => void cleaned.push([task, rows]);
  const cleaner = new ExpiryCleaner(tasks, mayRun, { clock, logger, report });
  return { clock, logger, cleaned, cleaner };
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
    await cleaner.step();
    expect(cleaned).toEqual([['a', 2_007]]);
    clock.advance(59_999);
    await cleaner.step();
    expect(cleaned).toHaveLength(1);
    clock.advance(1);
    await cleaner.step();
    expect(cleaned.at(-1)).toEqual(['a', 3]);
  });

  it('lets the others run when one fails, and tries that one again in its turn', async () => {
    const { clock, cleaner, cleaned, logger } = setUp([task('a', [new Error('no'), 5]), task('b', [2])]);
    await cleaner.step();
    expect(cleaned).toEqual([
      ['a', null],
      ['b', 2],
    ]);
    expect(logger.fieldsOf('collector: expired rows could not be deleted')).toMatchObject([{ task: 'a' }]);
    clock.advance(60_000);
    await cleaner.step();
    expect(cleaned).toContainEqual(['a', 5]);
  });

  it('stops between two batches when it may not continue', async () => {
    let runs = 0;
    const endless: CleanupTask = {
      name: 'a',
      intervalMs: 1,
      run: async () => {
        runs += 1;
        return 1_000;
      },
    };
    const { cleaner } = setUp([endless], () => runs < 3);
    await cleaner.step();
    expect(runs).toBe(3);
  });

  it('gives way to the garbage collector after twenty full runs, and is due again at once', async () => {
    const { cleaner, cleaned } = setUp([task('a', Array<number>(25).fill(1_000))]);
    expect(await cleaner.step()).toBe(0);
    expect(cleaned).toEqual([['a', 20_000]]);
  });
});
