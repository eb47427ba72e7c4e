import { fakeClock, recordingLogger } from '@platform/testkit';
import type { HousekeepingTask } from '../ports/housekeeping.ts';
import type { CollectorMetrics } from '../ports/sweep-metrics.ts';
import { Housekeeper } from './housekeeper.ts';

function setUp(tasks: readonly HousekeepingTask[]) {
  const clock = fakeClock();
  const logger = recordingLogger();
  const tidied: [string, number | null][] = [];
  const metrics = {
    tidied: (task: string, rows: number | null) => void tidied.push([task, rows]),
  } as CollectorMetrics;
  return { clock, logger, tidied, housekeeper: new Housekeeper(tasks, { clock, logger, metrics }) };
}

/** A task that returns these numbers, one a run, and then 0. */
function task(name: string, rows: (number | Error)[]): HousekeepingTask {
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

describe('housekeeping', () => {
  it('runs a task again while it is full, and then not before its interval', async () => {
    const { clock, housekeeper, tidied } = setUp([task('a', [1_000, 1_000, 7, 3])]);
    await housekeeper.run(() => true);
    expect(tidied).toEqual([['a', 2_007]]);
    clock.advance(59_999);
    await housekeeper.run(() => true);
    expect(tidied).toHaveLength(1);
    clock.advance(1);
    await housekeeper.run(() => true);
    expect(tidied.at(-1)).toEqual(['a', 3]);
  });

  it('lets the others run when one fails, and tries that one again in its turn', async () => {
    const { clock, housekeeper, tidied, logger } = setUp([task('a', [new Error('no'), 5]), task('b', [2])]);
    await housekeeper.run(() => true);
    expect(tidied).toEqual([
      ['a', null],
      ['b', 2],
    ]);
    expect(logger.fieldsOf('collector: housekeeping failed')).toMatchObject([{ task: 'a' }]);
    clock.advance(60_000);
    await housekeeper.run(() => true);
    expect(tidied).toContainEqual(['a', 5]);
  });

  it('ends between two runs when it may not go on', async () => {
    let runs = 0;
    const { housekeeper } = setUp([
      {
        name: 'a',
        intervalMs: 1,
        run: async () => {
          runs += 1;
          return 1_000;
        },
      },
    ]);
    await housekeeper.run(() => runs < 3);
    expect(runs).toBe(3);
  });

  it('gives way to the sweep after twenty full runs, and is due again at once', async () => {
    const { clock, housekeeper, tidied } = setUp([task('a', Array<number>(25).fill(1_000))]);
    await housekeeper.run(() => true);
    expect(tidied).toEqual([['a', 20_000]]);
    expect(housekeeper.nextAt).toBe(clock.now());
  });
});
