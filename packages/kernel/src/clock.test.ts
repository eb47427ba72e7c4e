import { monotonicClock, systemClock } from './clock.ts';

describe('the clock for intervals', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('does not follow the clock of the machine when somebody sets that back', () => {
    const [wall, before] = [systemClock.now(), monotonicClock.now()];
    Date.now = () => wall - 3_600_000;
    expect(systemClock.now()).toBeLessThan(wall);
    expect(monotonicClock.now()).toBeGreaterThanOrEqual(before);
  });
});
