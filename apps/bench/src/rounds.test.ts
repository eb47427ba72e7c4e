import type { BenchCase } from './bench-case.ts';
import type { Fixture } from './fixture/fixture.ts';
import { ratioTo, runRounds } from './rounds.ts';

describe('the rounds', () => {
  const runs: string[] = [];
  const rates = [90, 100, 120];
  const counted = (name: string): BenchCase => ({
    name,
    run: async (_, { connections, seconds }) => {
      runs.push(`${name} ${connections} ${seconds}`);
      return { perSecond: rates[runs.length % 3] ?? 0, failures: 1 };
    },
  });
  const plan = { connections: [1, 32], rounds: 2, seconds: 2, warmUp: 1, showProgress: () => {} };
  const nothing = {} as Fixture;

  it('run every case at every number of connections, every second time backwards, after a warm-up with most connections', async () => {
    runs.length = 0;
    await runRounds(nothing, { ...plan, cases: ['a', 'b'].map(counted) });
    const [warmUp, first, second] = [runs.slice(0, 2), runs.slice(2, 6), runs.slice(6)];
    expect(warmUp).toEqual(['a 32 1', 'b 32 1']);
    expect(first).toEqual(['a 1 2', 'b 1 2', 'a 32 2', 'b 32 2']);
    expect(second).toEqual(['b 1 2', 'a 1 2', 'b 32 2', 'a 32 2']);
  });

  it('report the median, the spread and the sum of all failures of a case', async () => {
    runs.length = 0;
    const [result] = await runRounds(nothing, {
      ...plan,
      rounds: 3,
      connections: [1],
      cases: [counted('a')],
    });
    expect(result).toMatchObject({ name: 'a', connections: 1, perSecond: 100, spread: 0.3, failures: 3 });
    expect(result?.rates.toSorted()).toEqual([100, 120, 90]);
  });
});

describe('ratioTo', () => {
  const measured = (name: string, connections: number, rates: readonly number[]) => ({
    baseline: undefined,
    p50: 1,
    p99: 2,
    cpuMicros: 1,
    failures: 0,
    name,
    connections,
    rates,
    perSecond: 0,
    spread: 0,
  });
  // The machine was half as fast in the second round, and ten times as fast in the third.
  const results = [
    measured('a', 8, [200, 100, 2_000]),
    measured('b', 8, [100, 50, 500]),
    measured('b', 1, [1, 1, 1]),
  ];

  it('is the median of the ratios of all rounds, at the same number of connections', () =>
    expect(ratioTo({ results }, 'a', 'b', 8)).toBe(2));

  it('is undefined if one of them was not measured', () => {
    expect(ratioTo({ results }, 'a', 'b', 1)).toBeUndefined();
    expect(ratioTo({ results }, 'b', 'c', 1)).toBeUndefined();
  });
});
