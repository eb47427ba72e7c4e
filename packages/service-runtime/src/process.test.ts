import { getHeapSpaceStatistics } from 'node:v8';
import { releaseStartMemory } from './process.ts';

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

it('releaseStartMemory shrinks a young generation that has grown', async () => {
  // Half of the objects stay alive for a while, as while a program loads: that makes the young generation grow.
  const kept: object[] = [];
  for (let count = 0; count < 500_000; count += 1) if (count % 2 === 0) kept.push({ count });
  const grown = youngBytes();
  kept.length = 0;
  await releaseStartMemory();
  expect(grown).toBeGreaterThan(8_000_000);
  expect(youngBytes()).toBeLessThan(grown / 2);
});
