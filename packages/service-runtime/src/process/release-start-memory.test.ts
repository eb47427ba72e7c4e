import { getHeapSpaceStatistics } from 'node:v8';
import { releaseStartMemory } from './release-start-memory.ts';

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

it('the young generation that loading has grown is small again', async () => {
  // Half of what is made is kept for a while, as when a program loads: that is what makes it grow.
  const kept: object[] = [];
  for (let count = 0; count < 500_000; count += 1) if (count % 2 === 0) kept.push({ count });
  const grown = youngBytes();
  kept.length = 0;
  await releaseStartMemory();
  expect(grown).toBeGreaterThan(8_000_000);
  expect(youngBytes()).toBeLessThan(grown / 2);
});
