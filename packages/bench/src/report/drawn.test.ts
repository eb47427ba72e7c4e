import { chartsOf } from './drawn.ts';

const figure = (name: string, unit: 'x' | 'MB' | 'rows/s') =>
  ({ name, unit, value: 2, values: [2], spread: 0 }) as const;
const namesOf = (figures: ReturnType<typeof figure>[]) =>
  chartsOf({ results: [], figures }).map(({ name }) => name);

describe('chartsOf', () => {
  it('draws what was measured, and only that', () => {
    expect(namesOf([])).toEqual([]);
    expect(
      namesOf([
        figure('API memory at rest', 'MB'),
        figure('verify session, two workers, in rates of one', 'x'),
      ]),
    ).toEqual(['scaling.svg', 'memory.svg']);
  });

  it('sets cascades beside their floors', () => {
    const [chart] = chartsOf({
      results: [],
      figures: [
        figure('floor: recursive DELETE of 10,000 rows, wide', 'rows/s'),
        { ...figure('collected, 10,000 rows, wide', 'rows/s'), unfinished: 'not finished within 60 s' },
        figure('collected in times of the floor, 10,000 rows, wide', 'x'),
      ],
    });
    expect(chart?.svg).toContain('>recursive DELETE of 10,000 rows, wide<');
    expect(chart?.svg).toContain('>2/s, not finished<');
    expect(chart?.svg.match(/<rect x/g)).toHaveLength(2);
  });

  it('draws growth alone where the table grew', () => {
    expect(
      namesOf([
        figure('growth: replace', 'x'),
        figure('collected, 10,000 rows, wide; table of 10,000', 'rows/s'),
      ]),
    ).toEqual(['growth.svg']);
  });
});
