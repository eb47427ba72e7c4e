import { judge } from './targets.ts';

const result = (name: string, perSecond: number) => ({
  name,
  floor: undefined,
  connections: 32,
  perSecond,
  rates: [perSecond],
  spread: 0,
  p50: 1,
  p99: 6,
  cpuMicros: 1,
  failures: 0,
});

describe('judge', () => {
  const verdicts = judge({
    results: [result('read item, depth 1', 150), result('floor: express res.json', 100)],
    figures: [{ name: 'start to ready', unit: 'ms', value: 2_000, values: [2_000], spread: 0 }],
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

describe('judge, of figures', () => {
  it('does not take what was given up for met', () => {
    const name = 'collected in times of the floor, 100,000 rows, wide';
    const figures = [
      { name, unit: 'x', value: 2, values: [2], spread: 0, unfinished: 'not finished within 60 s' } as const,
    ];
    expect(judge({ results: [], figures })).toMatchObject([
      { found: 2, met: false, unfinished: 'not finished within 60 s' },
    ]);
  });

  it('judges whatever grew with the table, floors apart', () => {
    const figures = ['replace', 'floor: INSERT', 'delete leaf', 'API memory under mixed load'].map(
      (name, index) =>
        ({
          name: `growth: ${name}`,
          unit: 'x',
          value: index === 2 ? 1.4 : 1.2,
          values: [],
          spread: 0,
        }) as const,
    );
    expect(judge({ results: [], figures })).toMatchObject([
      { text: 'replace: cost on the largest table in costs on the smallest', met: true },
      { text: 'delete leaf: cost on the largest table in costs on the smallest', met: false },
      { text: 'API memory under mixed load: cost on the largest table in costs on the smallest', met: false },
    ]);
  });
});
