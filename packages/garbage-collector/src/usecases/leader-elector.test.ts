import { fakeClock } from '@platform/development/testing';
import { StorageUnavailable } from '@platform/kernel';
import type { Lease, LeaseAttempt } from '../ports/lease.ts';
import { LeaderElector } from './leader-elector.ts';

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
  const elector = new LeaderElector({ lease, clock, holder: 'me', leaseSeconds: 15 });
  return { clock, elector, released, asked: () => asked };
}

describe('the leader elector', () => {
  it('is renewed at a third of the lease, not before', async () => {
    const { clock, elector, asked } = setUp([]);
    await elector.tryAcquireOrRenew();
    clock.advance(4_999);
    await elector.tryAcquireOrRenew();
    expect(asked()).toBe(1);
    clock.advance(1);
    await elector.tryAcquireOrRenew();
    expect(asked()).toBe(2);
  });

  it('ends by itself when it cannot be renewed', async () => {
    const outage = new StorageUnavailable('gone');
    const { clock, elector } = setUp([mine, outage, outage]);
    await elector.tryAcquireOrRenew();
    clock.advance(14_999);
    await expect(elector.tryAcquireOrRenew()).rejects.toThrow('gone');
    expect(elector.leadership).toMatchObject({ fence });
    clock.advance(1);
    expect(elector.leadership).toBeNull();
  });

  it('counts the lease from before it was asked for, however slow the answer', async () => {
    const { clock, elector } = setUp([], 6_000);
    await elector.tryAcquireOrRenew();
    clock.advance(8_999);
    expect(elector.leadership).toMatchObject({ fence });
    clock.advance(1);
    expect(elector.leadership).toBeNull();
  });

  it('is tried for again at the moment at which the other holder loses it', async () => {
    const { clock, elector } = setUp([{ held: false, freeInMs: 1_234 }]);
    await elector.tryAcquireOrRenew();
    expect(elector.nextAttemptAt - clock.now()).toBe(1_234);
    clock.advance(1_234);
    expect(await elector.tryAcquireOrRenew()).toMatchObject({ fence });
  });

  it('tries at least every third of a lease, and at once when it is told that the lease is free', async () => {
    const { clock, elector } = setUp([{ held: false, freeInMs: 15_000 }]);
    await elector.tryAcquireOrRenew();
    expect(elector.nextAttemptAt - clock.now()).toBe(5_000);
    elector.renewNow();
    expect(await elector.tryAcquireOrRenew()).toMatchObject({ fence });
  });

  it('is given back once, and only when it is held', async () => {
    const { elector, released } = setUp([]);
    await elector.release();
    await elector.tryAcquireOrRenew();
    await elector.release();
    await elector.release();
    expect(released).toEqual([fence]);
  });
});
