import { FakeTimers, settled } from '@platform/development/testing';
import { FakeLeases } from '../../test/fake-leases.ts';
import { FakePlatform } from '../../test/fake-platform.ts';
import { type Scripted, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createClient } from '../client.ts';
import { fakeEvents } from '../reconcile/fake-events.ts';
import type { ReconcileOptions } from '../reconcile/options.ts';
import { reconcile } from '../reconcile/reconcile.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A replica of a controller with a clock of its own. A replica whose clock is not moved any more is killed. */
function replica(leases: FakeLeases, identity: string, options: Partial<ReconcileOptions> = {}) {
  const timers = new FakeTimers();
  const platform = new FakePlatform();
  const stopping = new AbortController();
  const seen: string[] = [];
  const errors: string[] = [];
  const made = {
    timers,
    stopping,
    seen,
    errors,
    identity,
    /** Replaces the answer to requests for the Lease. */
    interfere: (): Scripted | undefined => undefined,
    ended: Promise.resolve(),
  };
  const client = createClient({
    baseUrl: 'http://platform.test',
    timers,
    retry: { attempts: 1 },
    fetch: scriptedFetch((request) => made.interfere() ?? leases.serve(request)).fetch,
  });
  made.ended = reconcile({
    reader: client,
    controller: 'ctrl.example.dev',
    signal: stopping.signal,
    timers,
    kind: { group: 'example.dev', version: 'v1', plural: 'widgets' },
    events: fakeEvents([platform.add('one')]).source,
    leaderElection: {
      organization: 'acme',
      lease: 'widgets',
      identity,
      onChange: (leads, holder) => seen.push(`${leads ? 'leads' : 'follows'} ${holder ?? '-'}`),
    },
    async reconcile({ metadata }) {
      seen.push(`reconcile ${metadata.name}`);
    },
    onError: (error) => errors.push((error as Error).message),
    ...options,
  });
  stops.push(async () => {
    stopping.abort();
    await Promise.race([made.ended, timers.advance(60_000)]);
  });
  return made;
}

/** Moves the clocks of several machines on by seconds. */
async function pass(seconds: number, ...replicas: readonly { readonly timers: FakeTimers }[]): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    for (const { timers } of replicas) await timers.advance(1_000);
  }
}

describe('leader election', () => {
  it('leaves nothing at the signal of a replica that leads or waits for long', async () => {
    const leases = new FakeLeases();
    const first = replica(leases, 'a');
    const second = replica(leases, 'b');
    await pass(10, first, second);
    // Signals of this kind are remembered by those that they depend on.
    const { any } = AbortSignal;
    let made = 0;
    AbortSignal.any = (signals) => {
      made += 1;
      return any.call(AbortSignal, signals);
    };
    try {
      await pass(60, first, second);
    } finally {
      AbortSignal.any = any;
    }
    expect(made).toBe(0);
  });

  it('lets one replica reconcile, and another one when it is killed', async () => {
    const leases = new FakeLeases();
    const first = replica(leases, 'a');
    await pass(1, first);
    const second = replica(leases, 'b');
    await pass(60, first, second);
    expect([first.seen, second.seen]).toEqual([['leads a', 'reconcile one'], []]);
    // From here on, only the clock of the second one moves.
    await pass(14, second);
    expect(second.seen).toEqual([]);
    await pass(4, second);
    expect(second.seen).toEqual(['leads b', 'reconcile one']);
    expect(leases.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    // The first one wakes up: its next write names an old revision.
    await first.timers.advance(2_100);
    expect(first.seen.at(-1)).toBe('follows b');
    expect(first.errors).toEqual(['another replica has the lease']);
  });

  it('gives the lease back when it stops, after its work is done', async () => {
    const leases = new FakeLeases();
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = replica(leases, 'a', { reconcile: () => work });
    await pass(1, first);
    const second = replica(leases, 'b');
    await pass(3, first, second);
    first.stopping.abort();
    await pass(20, first, second);
    // The work goes on, so the lease is still renewed.
    expect([leases.lease?.spec.holderIdentity, second.seen]).toEqual(['a', []]);
    finish();
    await first.ended;
    expect(leases.lease?.spec.holderIdentity).toBe('');
    await pass(3, second);
    expect(second.seen).toEqual(['leads b', 'reconcile one']);
  });

  it('stops a leader that cannot reach the platform before another one begins', async () => {
    const leases = new FakeLeases();
    const events: string[] = [];
    const first = replica(leases, 'a', {
      async reconcile(_widget, { signal }) {
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            events.push('a stopped');
            resolve();
          }),
        );
      },
    });
    await pass(1, first);
    const second = replica(leases, 'b', {
      async reconcile() {
        events.push('b reconciles');
      },
    });
    await pass(5, first, second);
    first.interfere = () => 'silence';
    await pass(9, first, second);
    expect(events).toEqual([]);
    await pass(12, first, second);
    expect(events).toEqual(['a stopped', 'b reconciles']);
    expect(first.errors).toContain('the lease could not be renewed for 10000 ms');
    first.interfere = () => undefined;
    await pass(20, first, second);
    expect(leases.lease?.spec.holderIdentity).toBe('b');
  });

  it('keeps leading over failures that are shorter than the deadline', async () => {
    const leases = new FakeLeases();
    const first = replica(leases, 'a');
    await pass(3, first);
    first.interfere = () => new Error('ECONNREFUSED');
    await pass(6, first);
    first.interfere = () => undefined;
    await pass(30, first);
    expect(first.seen).toEqual(['leads a', 'reconcile one']);
    expect(leases.writes.every((write) => write.startsWith('a@'))).toBe(true);
  });

  it('lets one of two replicas win that see the lease expire at the same moment', async () => {
    const leases = new FakeLeases();
    const first = replica(leases, 'a');
    await pass(1, first);
    const [second, third] = [replica(leases, 'b'), replica(leases, 'c')];
    await pass(2, second, third);
    for (let second_ = 0; second_ < 40; second_ += 1) {
      await Promise.all([second.timers.advance(500), third.timers.advance(500)]);
    }
    expect(
      [second, third].flatMap(({ seen }) => seen).filter((each) => each.startsWith('leads')),
    ).toHaveLength(1);
    await settled();
    expect(new Set(leases.writes).size).toBe(leases.writes.length);
  });

  it.each([
    [{ leaseDurationMs: 10_000 }, 'leaseDurationMs must be greater than renewDeadlineMs'],
    [{ retryPeriodMs: 9_000 }, 'renewDeadlineMs must be greater than 1.2 times retryPeriodMs'],
  ])('refuses the times %j', async (times, message) => {
    const leaderElection = { organization: 'acme', lease: 'l', identity: 'a', ...times };
    const { ended } = replica(new FakeLeases(), 'a', { leaderElection });
    await expect(ended).rejects.toThrow(message);
    stops.pop();
  });
});
