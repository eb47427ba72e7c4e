import { growthOf } from './growth.ts';

const at = (rows: number, perSecond: number, ms: number, collected: number) => ({
  rows,
  results: [
    {
      name: 'replace',
      floor: undefined,
      connections: 32,
      perSecond,
      spread: 0.1,
      p50: 1,
      p99: 2,
      cpuMicros: 1,
      failures: 0,
    },
  ],
  figures: [
    { name: 'latency', unit: 'ms', value: ms, spread: 0 } as const,
    { name: 'collected', unit: 'rows/s', value: collected, spread: 0 } as const,
    { name: 'in times of the floor', unit: 'x', value: 2, spread: 0 } as const,
  ],
});

describe('growthOf', () => {
  const found = growthOf([at(10_000, 200, 10, 100), at(100_000, 150, 11, 90), at(1_000_000, 100, 12, 80)]);
  const ratioOf = (name: string) => found.find((figure) => figure.name === name)?.value;

  it('turns rates into costs, and compares the largest table with the smallest', () => {
    expect(ratioOf('growth: replace')).toBe(2);
    expect(ratioOf('growth: collected')).toBe(1.25);
  });

  it('compares times as they are, and ratios not at all', () => {
    expect(ratioOf('growth: latency')).toBe(1.2);
    expect(ratioOf('growth: in times of the floor')).toBeUndefined();
  });

  it('keeps the figures of every size', () => expect(ratioOf('latency; table of 100,000')).toBe(11));
});
