import { judge } from './targets.ts';

const result = (name: string, perSecond: number) => ({
  name,
  floor: undefined,
  connections: 32,
  perSecond,
  spread: 0,
  p50: 1,
  p99: 6,
  cpuMicros: 1,
  failures: 0,
});

describe('judge', () => {
  const verdicts = judge({
    results: [result('read item, depth 1', 150), result('floor: express res.json', 100)],
    figures: [{ name: 'start to ready', unit: 'ms', value: 2_000, spread: 0 }],
  });

  it('misses a target that is too low', () => {
    expect(verdicts[0]).toMatchObject({ wanted: '≥ 2', found: 1.5, met: false });
  });

  it('misses a target that is too high', () => {
    expect(verdicts[1]).toMatchObject({ wanted: '≤ 5', found: 6, met: false });
  });

  it('meets a target', () => {
    expect(verdicts[2]).toMatchObject({ wanted: '≤ 3000', found: 2_000, met: true });
  });

  it('says nothing about what was not measured', () => expect(verdicts).toHaveLength(3));
});
