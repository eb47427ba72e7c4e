import { getHeapSpaceStatistics } from 'node:v8';
import { releaseStartMemory, runtimeWarnings } from './process.ts';

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

it.each(['20.19.0', '20.20.1', '18.20.8'])('Node.js %s is warned of at the start', (version) => {
  expect(runtimeWarnings(version)).toEqual([
    expect.stringContaining(`Node.js ${version} has known security holes`),
  ]);
});

it.each(['20.20.2', '20.21.0', '22.0.0', '24.4.1'])('Node.js %s is not warned of', (version) => {
  expect(runtimeWarnings(version)).toEqual([]);
});
