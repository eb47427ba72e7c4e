import { getHeapSpaceStatistics } from 'node:v8';
import { IdleAfterLoad, releaseMemory } from './memory.ts';

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

it('releaseMemory shrinks a young generation that has grown', async () => {
  // Half of the objects stay alive for a while, as while a program loads: that makes the young generation grow.
  const kept: object[] = [];
  for (let count = 0; count < 500_000; count += 1) if (count % 2 === 0) kept.push({ count });
  const grown = youngBytes();
  kept.length = 0;
  await releaseMemory();
  expect(grown).toBeGreaterThan(8_000_000);
  expect(youngBytes()).toBeLessThan(grown / 2);
});

describe('a process is idle after load', () => {
  it('once, at the first look that finds it idle', () => {
    const idle = new IdleAfterLoad();
    const looks = [100, 6_000, 9_000, 499, 100, 0, 500, 20].map((cpuMs) => idle.look(cpuMs, 10_000));
    expect(looks).toEqual([false, false, false, true, false, false, false, true]);
  });
});
