import { decideRestart } from './supervise.ts';

it('doubles the delay each time', () => {
  expect(decideRestart([0], 0)).toEqual({ restart: true, delayMs: 500 });
  expect(decideRestart([0, 1_000, 3_000], 3_000)).toEqual({ restart: true, delayMs: 2_000 });
});

it('gives up after the sixth exit within a minute', () => {
  const ends = [0, 1, 2, 3, 4, 5].map((index) => index * 10_000);
  expect(decideRestart(ends.slice(0, 5), 40_000).restart).toBe(true);
  expect(decideRestart(ends, 50_000)).toEqual({ restart: false });
});

it('ignores exits more than a minute ago', () => {
  const ends = [0, 1, 2, 3, 4, 70_000];
  expect(decideRestart(ends, 70_000)).toEqual({ restart: true, delayMs: 500 });
});
