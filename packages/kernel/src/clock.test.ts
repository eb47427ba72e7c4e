import { backoff, monotonicClock, systemClock } from './clock.ts';

describe('the monotonic clock', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('does not go back when the clock of the machine does', () => {
    const [wall, before] = [systemClock.now(), monotonicClock.now()];
    Date.now = () => wall - 3_600_000;
    expect(systemClock.now()).toBeLessThan(wall);
    expect(monotonicClock.now()).toBeGreaterThanOrEqual(before);
  });
});

describe('backoff', () => {
  const range = { firstMs: 100, longestMs: 2_000 };

  it('doubles from the first delay to the longest', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => backoff(attempt, range))).toEqual([
      100, 200, 400, 800, 1600, 2000, 2000,
    ]);
  });

  it('stays within its range for any attempt', () => {
    expect(backoff(100_000, range)).toBe(2_000);
    expect(backoff(-1, range)).toBe(100);
  });
});
