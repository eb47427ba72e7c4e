import { fakeClock } from '@platform/testkit';
import { Parking } from './parking.ts';

const longest = { bytes: () => new Uint8Array([255]) };

function setUp(limit = 10) {
  const clock = fakeClock();
  return { clock, parking: new Parking(limit, { clock, random: longest }) };
}

describe('rows that are set aside', () => {
  it('are due after a wait that doubles, each on its own', () => {
    const { clock, parking } = setUp();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      parking.park('a', 'refused');
      waits.push((parking.nextAt as number) - clock.now());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    parking.park('b', 'refused');
    clock.advance(1_000);
    expect(parking.due().map(({ uid }) => uid)).toEqual(['b']);
  });

  it('come back within five seconds when they were only locked', () => {
    const { clock, parking } = setUp();
    for (let attempt = 0; attempt < 20; attempt += 1) parking.park('a', 'contended');
    expect((parking.nextAt as number) - clock.now()).toBe(5_000);
  });

  it('begin anew after they were released', () => {
    const { parking } = setUp();
    parking.park('a', 'refused');
    parking.release('a');
    expect(parking.park('a', 'refused')).toBe(1);
  });

  it('are no more than the bound', () => {
    const { parking } = setUp(2);
    for (const uid of ['a', 'b', 'c']) parking.park(uid, 'contended');
    expect(parking.size).toBe(2);
    expect(parking.has('c')).toBe(false);
  });
});
