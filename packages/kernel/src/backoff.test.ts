import { backoff } from './backoff.ts';

const bounds = { firstMs: 100, longestMs: 2_000 };

it('doubles from the first pause to the longest', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => backoff(attempt, bounds))).toEqual([
    100, 200, 400, 800, 1600, 2000, 2000,
  ]);
});

it('stays within its bounds for any attempt', () => {
  expect(backoff(100_000, bounds)).toBe(2_000);
  expect(backoff(-1, bounds)).toBe(100);
});
