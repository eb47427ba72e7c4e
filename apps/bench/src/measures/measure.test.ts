import { summarizeFigures } from './measure.ts';

describe('summarizeFigures', () => {
  it('takes the median of each figure', () => {
    const figures = [1, 2, 9].flatMap((value) => [
      { name: 'a', unit: 'ms', value } as const,
      { name: 'b', unit: 'x', value: 10 * value } as const,
    ]);
    expect(summarizeFigures(figures)).toMatchObject([
      { name: 'a', unit: 'ms', value: 2, spread: 4 },
      { name: 'b', unit: 'x', value: 20, spread: 4 },
    ]);
  });

  it('marks a figure as unfinished if one round was', () => {
    const [figure] = summarizeFigures([
      { name: 'a', unit: 'x', value: 1 },
      { name: 'a', unit: 'x', value: 8, unfinished: 'not finished within 60 s' },
      { name: 'a', unit: 'x', value: 1 },
    ]);
    expect(figure).toMatchObject({ value: 1, unfinished: 'not finished within 60 s' });
  });
});
