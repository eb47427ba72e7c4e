import { fakeClock } from '@platform/development/testing';
import { RetryQueue } from './retry-queue.ts';

const longest = { bytes: () => new Uint8Array([255]) };

function setUp(limit = 10) {
  const clock = fakeClock();
  return { clock, retries: new RetryQueue({ clock, random: longest }, limit) };
}

describe('rows in the retry queue', () => {
  it('are due after a wait that doubles, each on its own', () => {
    const { clock, retries } = setUp();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      retries.addRateLimited('a', 'refused');
      waits.push(retries.nextAt - clock.now());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    retries.addRateLimited('b', 'refused');
    clock.advance(1_000);
    expect(retries.due('refused').map(({ uid }) => uid)).toEqual(['b']);
  });

  it('come back within five seconds when they were only locked', () => {
    const { clock, retries } = setUp();
    for (let attempt = 0; attempt < 20; attempt += 1) retries.addRateLimited('a', 'contended');
    expect(retries.nextAt - clock.now()).toBe(5_000);
  });

  it('start from the first delay after they were removed', () => {
    const { retries } = setUp();
    retries.addRateLimited('a', 'refused');
    retries.delete('a');
    expect(retries.addRateLimited('a', 'refused')).toBe(1);
  });

  it('are no more than the bound: the oldest leaves', () => {
    const { retries } = setUp(2);
    for (const uid of ['a', 'b', 'c']) retries.addRateLimited(uid, 'contended');
    expect(retries.size).toBe(2);
    expect(retries.has('a')).toBe(false);
  });
});
