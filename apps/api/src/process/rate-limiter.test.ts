import { randomBytes } from 'node:crypto';
import { oldGenerationGrowth } from '@platform/development/testing';
import { callerOf, createRateLimiter } from './rate-limiter.ts';

function limiter(perMinute: number, maxCallers?: number, namesAtOnce?: number) {
  const clock = { millis: 0, now: () => clock.millis };
  const { take } = createRateLimiter({
    clock,
    perMinute,
    ...(maxCallers === undefined ? {} : { maxCallers }),
    ...(namesAtOnce === undefined ? {} : { namesAtOnce }),
  });
  return { clock, ask: (address: string, name = 'shop/login') => take({ address, name }) };
}

describe('the rate limiter', () => {
  it('lets a caller ask an extension so often a minute, and says when it may ask again', () => {
    const { clock, ask } = limiter(3);
    for (let request = 0; request < 3; request += 1) expect(ask('192.0.2.1').allowed).toBe(true);
    clock.millis += 20_500;
    expect(ask('192.0.2.1')).toEqual({ allowed: false, retryAfterSeconds: 40 });
    clock.millis += 39_500;
    expect(ask('192.0.2.1').allowed).toBe(true);
  });

  // Accident: the clock of the machine is set back a day, and callers at their limit would wait for a day.
  it('begins a new minute when the clock is set back', () => {
    const { clock, ask } = limiter(1);
    clock.millis = 86_400_000;
    ask('192.0.2.1');
    expect(ask('192.0.2.1').allowed).toBe(false);
    clock.millis = 0;
    expect(ask('192.0.2.1').allowed).toBe(true);
    expect(ask('192.0.2.1')).toEqual({ allowed: false, retryAfterSeconds: 60 });
  });

  it('keeps one caller from using up what others have, here or at another extension', () => {
    const { ask } = limiter(3);
    for (let request = 0; request < 10; request += 1) ask('192.0.2.1');
    expect(ask('192.0.2.1').allowed).toBe(false);
    expect(ask('192.0.2.2').allowed).toBe(true);
    expect(ask('192.0.2.1', 'shop/other').allowed).toBe(true);
  });

  it('gives each of a fixed set of names its own limit, whatever was asked of the others', () => {
    const { ask } = limiter(1);
    for (let name = 0; name < 20; name += 1) {
      expect(ask('192.0.2.1', `endpoint ${name}`).allowed).toBe(true);
      expect(ask('192.0.2.1', `endpoint ${name}`).allowed).toBe(false);
    }
  });

  it('does not let a caller avoid the limit by asking for a new name each time', () => {
    const { ask } = limiter(3, undefined, 4);
    const allowed = Array.from({ length: 100 }, (_, index) => ask('192.0.2.1', `name ${index}`)).filter(
      (one) => one.allowed,
    );
    expect(allowed).toHaveLength(12);
  });

  it('takes a network of IPv6 for one caller', () => {
    expect(callerOf('2001:db8:0:1::1')).toBe(callerOf('2001:0db8:0000:0001:ffff:ffff:ffff:ffff'));
    expect(callerOf('2001:db8:0:1::1')).not.toBe(callerOf('2001:db8:0:2::1'));
    expect(callerOf('::1')).toBe('0:0:0:0::/64');
    expect(callerOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(callerOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });

  it('remembers a bounded number of callers', () => {
    const { ask } = limiter(1, 10);
    for (let caller = 0; caller < 11; caller += 1) ask(`192.0.2.${caller}`);
    expect(ask('192.0.2.10').allowed).toBe(false);
    expect(ask('192.0.2.0').allowed).toBe(true);
  });

  // Attack: anybody asks for extensions whose names fill the line of a request. Fifty thousand of them are more than a gigabyte.
  it('remembers a long name in the room of a short one', async () => {
    const { ask } = limiter(1);
    const name = () => `${randomBytes(8_000).toString('hex')}/login`;
    expect(await oldGenerationGrowth(200, async () => ask('192.0.2.1', name()))).toBeLessThan(500_000);
    const long = name();
    expect([ask('192.0.2.1', long).allowed, ask('192.0.2.1', `${long}2`).allowed]).toEqual([true, true]);
    expect(ask('192.0.2.1', long).allowed).toBe(false);
  });
});
