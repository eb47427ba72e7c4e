import { settled } from '@platform/development/testing';
import { finalizer, id, run, stops } from '../../test/reconcile-fixture.ts';
import { PlatformError } from '../http/platform-error.ts';

describe('the loop', () => {
  it('reconciles every resource below every ancestor once, and again only after a change of its spec', async () => {
    const { platform, timers, seen, start } = run();
    const one = platform.add('one', 'p');
    platform.add('two', 'q');
    start();
    await timers.advance(60_000);
    expect(seen).toEqual(['reconcile one', 'reconcile two']);
    one.metadata.revision += 1;
    await timers.advance(5_000);
    platform.change(one);
    await timers.advance(5_000);
    expect(seen).toEqual(['reconcile one', 'reconcile two', 'reconcile one']);
  });

  it('passes the names of the ancestors', async () => {
    const { platform, timers, seen, start } = run({
      async reconcile({ metadata }, { ancestors }) {
        seen.push([...ancestors, metadata.name].join('/'));
        return undefined;
      },
    });
    platform.add('one', 'p');
    platform.add('two', 'q');
    start();
    await timers.advance(1_000);
    expect(seen).toEqual(['p/one', 'q/two']);
  });

  it('ends as a whole, and rejects, when the error handler of the caller throws', async () => {
    let calls = 0;
    const { platform, timers, start } = run({
      resyncMs: 60_000,
      async reconcile() {
        calls += 1;
        throw new Error('of the handler');
      },
      onError: (error) => {
        throw error;
      },
    });
    platform.add('one');
    const ended = start();
    stops.splice(0);
    const rejected = expect(ended).rejects.toThrow('of the handler');
    await timers.advance(1_000);
    await rejected;
    platform.add('two');
    await timers.advance(600_000);
    expect(calls).toBe(1);
  });

  it('reconciles an unchanged resource after the resync interval', async () => {
    const { platform, timers, seen, start } = run({ resyncMs: 60_000 });
    platform.add('one');
    start();
    await timers.advance(59_000);
    expect(seen).toHaveLength(1);
    await timers.advance(121_000);
    expect(seen).toHaveLength(4);
  });

  it('reconciles again after requeueAfterMs', async () => {
    let rounds = 0;
    const { platform, timers, start } = run({
      reconcile: async () => {
        rounds += 1;
        return rounds < 3 ? { requeueAfterMs: 7_000 } : {};
      },
    });
    platform.add('one');
    start();
    await timers.advance(6_999);
    expect(rounds).toBe(1);
    await timers.advance(100_000);
    expect(rounds).toBe(3);
  });

  it('reconciles as many resources concurrently as allowed, and never the same one twice', async () => {
    const running = new Set<string>();
    let most = 0;
    const { platform, timers, seen, start } = run({
      concurrency: 3,
      reconcile: async ({ metadata: { name } }) => {
        expect(running).not.toContain(name);
        running.add(name);
        most = Math.max(most, running.size);
        await new Promise<void>((resolve) => timers.after(8_000, resolve));
        running.delete(name);
        seen.push(name);
        return undefined;
      },
    });
    const all = Array.from({ length: 7 }, (_, index) => platform.add(`w${index}`));
    start();
    for (let second = 0; second < 9; second += 1) {
      platform.change(all[0] as (typeof all)[0]);
      await timers.advance(4_000);
    }
    await timers.advance(60_000);
    expect([most, new Set(seen).size]).toEqual([3, 7]);
  });

  it('backs off while the platform is unavailable, and continues afterwards', async () => {
    const { platform, timers, seen, errors, start } = run({ pendingDeletionPollMs: 1e9 });
    platform.add('one');
    platform.interfere = () => ({ status: 503, body: { code: 'unavailable', detail: 'no database' } });
    start();
    await timers.advance(300_000);
    expect(errors[0]).toBe(' unavailable: no database');
    expect(errors.length).toBeLessThan(20);
    platform.interfere = () => undefined;
    await timers.advance(60_000);
    expect(seen).toEqual(['reconcile one']);
  });

  it('completes running work when it stops, and starts nothing new', async () => {
    let finish = () => {};
    let aborted = false;
    const { platform, timers, seen, stopping, start } = run({
      concurrency: 1,
      async reconcile({ metadata }, { signal }) {
        seen.push(metadata.name);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        aborted = signal.aborted;
        return undefined;
      },
    });
    platform.add('one');
    platform.add('two');
    let ended = false;
    const end = start().then(() => {
      ended = true;
    });
    await settled();
    stopping.abort();
    await settled();
    expect([seen, ended, timers.waiting]).toEqual([['one'], false, 0]);
    finish();
    await end;
    expect([seen, aborted]).toEqual([['one'], true]);
  });

  /** A controller whose one resource is being reconciled when it is told to stop. */
  async function stoppedWithin(options: Parameters<typeof run>[0] = {}) {
    let finish = () => {};
    const fixture = run({
      finalizer,
      reconcile: () =>
        new Promise((resolve) => {
          finish = () => resolve({ status: { done: true } });
        }),
      ...options,
    });
    const one = fixture.platform.add('one');
    const end = fixture.start();
    await settled();
    fixture.stopping.abort();
    return { ...fixture, one, end, finish: () => finish() };
  }

  it('writes the status of work that ends after it was told to stop', async () => {
    const { one, end, finish, errors } = await stoppedWithin();
    finish();
    await end;
    expect([one.status.controllers[id], errors]).toEqual([{ done: true }, []]);
  });

  it('removes the finalizer of a resource whose clean-up ends after that', async () => {
    let clean = () => {};
    const { platform, timers, start, stopping } = run({
      finalizer,
      finalize: () =>
        new Promise((resolve) => {
          clean = () => resolve(undefined);
        }),
    });
    const one = platform.add('one');
    one.metadata.finalizers.push(finalizer);
    platform.delete(one);
    const end = start();
    await timers.advance(1_000);
    stopping.abort();
    clean();
    await end;
    expect(platform.widgets.size).toBe(0);
  });

  it('stops, and says so, when the platform does not answer that last write', async () => {
    const { platform, timers, end, finish, errors } = await stoppedWithin();
    platform.interfere = () => 'silence';
    finish();
    await timers.advance(5_000);
    await end;
    expect(errors).toEqual([expect.stringContaining('did not answer its last write')]);
    expect(timers.waiting).toBe(0);
  });
});

describe('a failure', () => {
  it('is retried with backoff, for that resource alone, and at once when the spec changes', async () => {
    const attempts: number[] = [];
    const { platform, timers, seen, errors, start } = run({
      async reconcile({ metadata: { name } }) {
        if (name === 'good') return void seen.push(name) as undefined;
        attempts.push(timers.now());
        throw new Error('cannot');
      },
    });
    const bad = platform.add('bad');
    platform.add('good');
    start();
    await timers.advance(20_000);
    // Three quarters of 500, 1000, 2000, 4000 and so on.
    const waits = attempts.slice(1).map((at, index) => at - (attempts[index] as number));
    expect(waits).toEqual([375, 750, 1_500, 3_000, 6_000]);
    expect([seen, errors[0]]).toEqual([['good'], 'bad cannot']);
    platform.change(bad);
    const before = attempts.length;
    await timers.advance(5_000);
    expect(attempts).toHaveLength(before + 1);
  });

  it('is never retried later than the cap, and resets after a success', async () => {
    let failing = true;
    const attempts: number[] = [];
    const { platform, timers, start } = run({
      backOff: { baseMs: 1_000, capMs: 4_000 },
      reconcile: async () => {
        attempts.push(timers.now());
        if (failing) throw new Error('cannot');
        return undefined;
      },
    });
    const one = platform.add('one');
    start();
    await timers.advance(30_000);
    expect((attempts.at(-1) as number) - (attempts.at(-2) as number)).toBe(3_000);
    failing = false;
    await timers.advance(5_000);
    failing = true;
    platform.change(one);
    await timers.advance(6_500);
    expect((attempts.at(-1) as number) - (attempts.at(-2) as number)).toBeLessThanOrEqual(1_500);
  });

  it('is retried also when a handler did not find something else', async () => {
    const missing = new PlatformError({ status: 404, code: 'not_found', detail: 'no such config map' });
    const calls: string[] = [];
    const { platform, timers, errors, start } = run({
      finalizer,
      async reconcile() {
        calls.push('reconcile');
        if (calls.length < 3) throw missing;
      },
      async finalize() {
        calls.push('finalize');
        if (calls.length < 6) throw missing;
      },
    });
    const one = platform.add('one');
    start();
    await timers.advance(10_000);
    platform.delete(one);
    await timers.advance(10_000);
    expect(calls).toEqual(['reconcile', 'reconcile', 'reconcile', 'finalize', 'finalize', 'finalize']);
    expect([errors.length, platform.widgets.size]).toEqual([4, 0]);
  });

  it('is not reported when the resource was removed in the meantime', async () => {
    const { platform, timers, errors, start } = run({
      reconcile: async (resource) => {
        platform.widgets.clear();
        return { status: resource.metadata.name };
      },
    });
    platform.add('one');
    start();
    await timers.advance(60_000);
    expect([errors, platform.work]).toEqual([
      [],
      ['GET example.dev/v1/widgets/uid:u1', `PUT example.dev/v1/widgets/uid:u1/status?slot=${id}`],
    ]);
  });
});

describe('the status', () => {
  it('is written to the slot of the controller only when it differs, and triggers nothing', async () => {
    let rounds = 0;
    const { platform, timers, start } = run({
      resyncMs: 20_000,
      reconcile: async ({ metadata }) => {
        rounds += 1;
        return { status: { generation: metadata.generation } };
      },
    });
    const one = platform.add('one');
    one.status.controllers['other.example.dev'] = 'kept';
    start();
    await timers.advance(100_000);
    platform.change(one);
    await timers.advance(5_000);
    expect(one.status.controllers).toEqual({ [id]: { generation: 2 }, 'other.example.dev': 'kept' });
    expect(platform.work.filter((line) => line.startsWith('PUT'))).toHaveLength(2);
    expect(rounds).toBeGreaterThan(2);
  });

  it('can be written during the work', async () => {
    const { platform, timers, start } = run({
      reconcile: async (_, { setStatus }) => {
        await setStatus('halfway');
        expect(platform.widgets.get('u1')?.status.controllers[id]).toBe('halfway');
        return { status: 'done' };
      },
    });
    const one = platform.add('one');
    start();
    await timers.advance(1_000);
    expect(one.status.controllers[id]).toBe('done');
  });
});

it.each([
  [{ finalize: async () => undefined }, 'requires a finalizer'],
  [{ finalizer: 'other/cleanup' }, 'must begin with the controller'],
])('%j makes no sense', async (options, message) => {
  const { start } = run(options);
  const outcome = start();
  stops.length = 0;
  await expect(outcome).rejects.toThrow(message);
});
