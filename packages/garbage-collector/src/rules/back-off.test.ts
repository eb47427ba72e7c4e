import { backOffMs } from './back-off.ts';

const range = { firstMs: 1_000, longestMs: 60_000 };
const always = (byte: number) => ({ bytes: () => new Uint8Array([byte]) });

describe('the back-off after failures', () => {
  it('doubles from the first wait and never exceeds the longest', () => {
    const waits = [1, 2, 3, 6, 7, 1_000].map((failures) => backOffMs(failures, range, always(255)));
    expect(waits).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  });

  it('takes a random part between half and all of it', () => {
    expect(backOffMs(3, range, always(0))).toBe(2_000);
    expect(backOffMs(3, range, always(128))).toBe(3_004);
  });
});
