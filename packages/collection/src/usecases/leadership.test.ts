import { Problem } from '@platform/kernel';
import { fakeClock } from '@platform/testkit';
import type { Lease, LeaseAttempt } from '../ports/lease.ts';
import { Leadership } from './leadership.ts';

const fence = { holder: 'me', token: 1 };
const mine: LeaseAttempt = { held: true, fence, paused: false };

/** A lease that answers as the test says, after `takesMs` of the clock. */
function setUp(answers: (LeaseAttempt | Error)[], takesMs = 0) {
  const clock = fakeClock();
  let asked = 0;
  const released: unknown[] = [];
  const lease: Lease = {
    async acquire() {
      asked += 1;
      clock.advance(takesMs);
      const answer = answers.shift() ?? mine;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    release: async (given) => void released.push(given),
  };
  const leadership = new Leadership(lease, clock, 'me', 15);
  return { clock, leadership, released, asked: () => asked };
}

describe('the leadership of a process', () => {
  it('is renewed at a third of the lease, not before', async () => {
    const { clock, leadership, asked } = setUp([]);
    await leadership.keep();
    clock.advance(4_999);
    await leadership.keep();
    expect(asked()).toBe(1);
    clock.advance(1);
    await leadership.keep();
    expect(asked()).toBe(2);
  });

  it('ends by itself when it cannot be renewed', async () => {
    const outage = new Problem('unavailable', 'gone');
    const { clock, leadership } = setUp([mine, outage, outage]);
    await leadership.keep();
    clock.advance(14_999);
    await expect(leadership.keep()).rejects.toThrow('gone');
    expect(leadership.role).toMatchObject({ role: 'leader' });
    clock.advance(1);
    expect(leadership.role).toEqual({ role: 'follower' });
  });

  it('counts the lease from before it was asked for, however slow the answer', async () => {
    const { clock, leadership } = setUp([], 6_000);
    await leadership.keep();
    clock.advance(8_999);
    expect(leadership.role).toMatchObject({ role: 'leader' });
    clock.advance(1);
    expect(leadership.role).toEqual({ role: 'follower' });
  });

  it('is tried for again at the moment at which the other holder loses it', async () => {
    const { clock, leadership } = setUp([{ held: false, freeInMs: 1_234 }]);
    await leadership.keep();
    expect(leadership.nextAttemptAt - clock.now()).toBe(1_234);
    clock.advance(1_234);
    expect(await leadership.keep()).toMatchObject({ role: 'leader' });
  });

  it('tries at least every third of a lease, and at once when it is told that the lease is free', async () => {
    const { clock, leadership } = setUp([{ held: false, freeInMs: 15_000 }]);
    await leadership.keep();
    expect(leadership.nextAttemptAt - clock.now()).toBe(5_000);
    leadership.hurry();
    expect(await leadership.keep()).toMatchObject({ role: 'leader' });
  });

  it('is given back once, and only when it is held', async () => {
    const { leadership, released } = setUp([]);
    await leadership.release();
    await leadership.keep();
    await leadership.release();
    await leadership.release();
    expect(released).toEqual([fence]);
  });
});
