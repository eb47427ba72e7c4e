import { median, percentile, ratios, spread } from './statistics.ts';

describe('median', () => {
  it('is the middle value, whatever the order', () => expect(median([9, 1, 5])).toBe(5));
  it('lies between the two middle values of an even number', () => expect(median([4, 1, 2, 9])).toBe(3));
});

describe('spread', () => {
  it('is the distance of the extremes in medians', () => expect(spread([90, 100, 110])).toBeCloseTo(0.2));
});

describe('ratios', () => {
  it('compare what was measured in the same round', () =>
    expect(ratios([10, 40, 3], [5, 20, 2])).toEqual([2, 2, 1.5]));
  it('leave out rounds that only one side has', () => expect(ratios([10, 40], [5])).toEqual([2]));
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  it('has the part of the values below it', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
  });
  it('is a value that there is, of few too', () => expect(percentile([7], 0.99)).toBe(7));
});
