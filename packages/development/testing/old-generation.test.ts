import { oldGenerationGrowth } from './index.ts';

const tenKilobytes = () => Array.from({ length: 1_250 }, (_, i) => i + 0.5);

describe('oldGenerationGrowth', () => {
  it('sees what is kept, and nothing else', async () => {
    const kept: unknown[] = [];
    expect(await oldGenerationGrowth(100, async () => kept.push(tenKilobytes()))).toBeGreaterThan(900_000);
    expect(await oldGenerationGrowth(100, async () => tenKilobytes())).toBeLessThan(300_000);
  });
});
