import { onClock, platformNow, reportDate } from './clock.ts';
import { lostSince, reportReach } from './reach.ts';

const realNow = Date.now;
afterEach(() => {
  Date.now = realNow;
});

it('follows the clock of the platform, and not every second of an answer that took long', () => {
  Date.now = () => Date.UTC(2026, 0, 1, 9);
  let told = 0;
  const stop = onClock(() => {
    told += 1;
  });
  for (const date of [null, 'nonsense', 'Thu, 01 Jan 2026 09:00:05 GMT']) reportDate(date);
  expect([platformNow(), told]).toEqual([Date.now(), 0]);
  for (const second of [30, 32]) reportDate(`Thu, 01 Jan 2026 08:00:${second} GMT`);
  expect([platformNow(), told]).toEqual([Date.UTC(2026, 0, 1, 8, 0, 30), 1]);
  stop();
});

it('finds the platform again also after the clock of the device was set back', () => {
  reportReach(false, performance.now());
  expect(lostSince()).not.toBeNull();
  Date.now = () => 0;
  reportReach(true, performance.now());
  expect(lostSince()).toBeNull();
});
