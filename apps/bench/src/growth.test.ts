import { growthOf } from './growth.ts';

const replaced = (rows: string, perSecond: number) => ({
  name: `replace, ${rows} rows`,
  baseline: undefined,
  connections: 32,
  perSecond,
  rates: [perSecond],
  spread: 0.1,
  p50: 1,
  p99: 2,
  cpuMicros: 1,
  failures: 0,
});

const figuresAt = (rows: string, ms: number, collected: number) => [
  { name: `latency; table of ${rows}`, unit: 'ms', value: ms, values: [ms], spread: 0 } as const,
  {
    name: `collected; table of ${rows}`,
    unit: 'rows/s',
    value: collected,
    values: [collected],
    spread: 0,
  } as const,
  { name: `relative to baseline; table of ${rows}`, unit: 'x', value: 2, values: [2], spread: 0 } as const,
];

describe('growthOf', () => {
  const found = growthOf(['replace'], [{ rows: 10_000 }, { rows: 100_000 }, { rows: 1_000_000 }], {
    results: [replaced('10,000', 200), replaced('100,000', 150), replaced('1,000,000', 100)],
    figures: [
      ...figuresAt('10,000', 10, 100),
      ...figuresAt('100,000', 11, 90),
      ...figuresAt('1,000,000', 12, 80),
    ],
  });
  const ratioOf = (name: string) => found.find((figure) => figure.name === name)?.value;

  it('converts rates to costs, and compares the largest table with the smallest', () => {
    expect(ratioOf('growth: replace')).toBe(2);
    expect(ratioOf('growth: collected')).toBe(1.25);
  });

  it('compares times directly, and skips ratios', () => {
    expect(ratioOf('growth: latency')).toBe(1.2);
    expect(ratioOf('growth: relative to baseline')).toBeUndefined();
  });

  it('compares the values of the same round, and reports the spread', () => {
    const slowing = [
      { ...replaced('10,000', 0), rates: [300, 200, 100] },
      { ...replaced('1,000,000', 0), rates: [150, 80, 50] },
    ];
    const [figure] = growthOf(['replace'], [{ rows: 10_000 }, { rows: 1_000_000 }], {
      results: slowing,
      figures: [],
    });
    expect(figure).toEqual({
      name: 'growth: replace',
      unit: 'x',
      value: 2,
      values: [2, 2.5, 2],
      spread: 0.25,
    });
  });
});
