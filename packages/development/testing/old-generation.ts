import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * By how many bytes V8's old generation grows while `step` runs over and over, with a collection of the young one after each: what a
 * step leaves behind that only a full collection would find.
 * @param steps the steps that are measured; as many run before them, to warm up code and constants
 */
export async function oldGenerationGrowth(steps: number, step: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  const run = async () => {
    for (let i = 0; i < steps; i += 1) {
      await step();
      collect({ type: 'minor' });
    }
    return oldBytes();
  };
  const before = await run();
  return (await run()) - before;
}

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) =>
    /^(old|large_object)_space$/.test(space_name),
  );
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
