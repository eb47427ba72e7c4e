import { barChart, chartsOf } from './charts.ts';

describe('barChart', () => {
  it('scales the bars to the longest one', () => {
    const svg = barChart('title', [
      { label: 'a', value: 10, text: '10' },
      { label: 'b', value: 5, text: '5' },
    ]);
    expect([...svg.matchAll(/width="(\d+\.\d)"/g)].map(([, found]) => found)).toEqual(['420.0', '210.0']);
  });

  it('escapes labels', () => {
    expect(barChart('a < b & c', [])).toContain('a &lt; b &amp; c');
  });
});

const figure = (name: string, unit: 'x' | 'MB' | 'rows/s') =>
  ({ name, unit, value: 2, values: [2], spread: 0 }) as const;
const namesOf = (figures: ReturnType<typeof figure>[]) =>
  chartsOf({ results: [], figures }).map(({ name }) => name);

describe('chartsOf', () => {
  it('draws only charts that have data', () => {
    expect(namesOf([])).toEqual([]);
    expect(
      namesOf([
        figure('API memory at rest', 'MB'),
        figure('verify session, two workers, relative to one', 'x'),
      ]),
    ).toEqual(['scaling.svg', 'memory.svg']);
  });

  it('draws cascades next to their baselines', () => {
    const [chart] = chartsOf({
      results: [],
      figures: [
        figure('baseline: recursive DELETE of 10,000 rows, wide', 'rows/s'),
        { ...figure('collected, 10,000 rows, wide', 'rows/s'), unfinished: 'not finished within 60 s' },
        figure('collection time relative to baseline, 10,000 rows, wide', 'x'),
      ],
    });
    expect(chart?.svg).toContain('>recursive DELETE of 10,000 rows, wide<');
    expect(chart?.svg).toContain('>2/s, not finished<');
    expect(chart?.svg.match(/<rect x/g)).toHaveLength(2);
  });

  it('draws only the growth chart for a growth run', () => {
    expect(
      namesOf([
        figure('growth: replace', 'x'),
        figure('collected, 10,000 rows, wide; table of 10,000', 'rows/s'),
      ]),
    ).toEqual(['growth.svg']);
  });
});
