import { evaluateTargets } from './targets.ts';

const result = (name: string, perSecond: number) => ({
  name,
  baseline: undefined,
  connections: 32,
  perSecond,
  rates: [perSecond],
  spread: 0,
  p50: 1,
  p99: 6,
  cpuMicros: 1,
  failures: 0,
});

describe('evaluateTargets', () => {
  const targetResults = evaluateTargets({
    results: [result('read item, depth 1', 150), result('baseline: express res.json', 100)],
    figures: [{ name: 'start to ready', unit: 'ms', value: 2_000, values: [2_000], spread: 0 }],
  });

  it('reports a value below its minimum as not met', () => {
    expect(targetResults[0]).toMatchObject({ wanted: '≥ 2', found: 1.5, met: false });
  });

  it('reports a value above its maximum as not met', () => {
    expect(targetResults[1]).toMatchObject({ wanted: '≤ 5', found: 6, met: false });
  });

  it('reports a met target', () => {
    expect(targetResults[2]).toMatchObject({ wanted: '≤ 3000', found: 2_000, met: true });
  });

  it('leaves out targets that were not measured', () => expect(targetResults).toHaveLength(3));
});

describe('evaluateTargets with figures', () => {
  it('reports an unfinished figure as not met', () => {
    const name = 'collection time relative to baseline, 100,000 rows, wide';
    const figures = [
      { name, unit: 'x', value: 2, values: [2], spread: 0, unfinished: 'not finished within 60 s' } as const,
    ];
    expect(evaluateTargets({ results: [], figures })).toMatchObject([
      { found: 2, met: false, unfinished: 'not finished within 60 s' },
    ]);
  });

  it('checks the growth of everything except baselines', () => {
    const figures = ['replace', 'baseline: INSERT', 'delete leaf', 'API memory under mixed load'].map(
      (name, index) =>
        ({
          name: `growth: ${name}`,
          unit: 'x',
          value: index === 2 ? 1.4 : 1.2,
          values: [],
          spread: 0,
        }) as const,
    );
    expect(evaluateTargets({ results: [], figures })).toMatchObject([
      { text: 'replace: cost on the largest table, relative to the smallest', met: true },
      { text: 'delete leaf: cost on the largest table, relative to the smallest', met: false },
      {
        text: 'API memory under mixed load: cost on the largest table, relative to the smallest',
        met: false,
      },
    ]);
  });
});
