import { finalizer, run } from '../../test/reconcile-fixture.ts';

describe('the finalizer', () => {
  it('is added before any work, and removed when finalize has succeeded', async () => {
    let tries = 0;
    const { platform, timers, seen, start } = run({
      finalizer,
      async reconcile({ metadata }) {
        seen.push(`reconcile with ${metadata.finalizers}`);
        return undefined;
      },
      async finalize({ metadata }) {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        seen.push(`finalize with ${metadata.finalizers}`);
        return undefined;
      },
    });
    const one = platform.add('one');
    start();
    await timers.advance(10_000);
    platform.delete(one);
    await timers.advance(10_000);
    expect(seen).toEqual([`reconcile with ${finalizer}`, `finalize with ${finalizer}`]);
    expect([tries, platform.widgets.size]).toEqual([3, 0]);
  });

  it('stays while finalize returns requeueAfterMs', async () => {
    let rounds = 0;
    const { platform, timers, start } = run({
      finalizer,
      finalize: async () => {
        rounds += 1;
        return rounds < 3 ? { requeueAfterMs: 1_000 } : undefined;
      },
    });
    const one = platform.add('one');
    start();
    await timers.advance(1_000);
    platform.delete(one);
    await timers.advance(2_500);
    expect([rounds, platform.widgets.size]).toEqual([2, 1]);
    await timers.advance(2_000);
    expect([rounds, platform.widgets.size]).toEqual([3, 0]);
  });

  it('is removed again when the resource was deleted first, without reconciling it', async () => {
    const { platform, timers, seen, start } = run({
      finalizer,
      finalize: async () => void seen.push('finalize') as undefined,
    });
    const one = platform.add('one');
    one.metadata.finalizers.push('someone/else');
    platform.interfere = ({ target }) => {
      if (target.endsWith('/finalizers')) platform.delete(one);
      return undefined;
    };
    start();
    await timers.advance(10_000);
    expect(seen).toEqual(['finalize']);
    expect(one.metadata.finalizers).toEqual(['someone/else']);
  });

  it('is handled as soon as the tombstone is listed', async () => {
    const { platform, timers, start } = run({
      finalizer,
      pollMs: 1_000_000,
      finalize: async () => undefined,
    });
    const one = platform.add('one');
    start();
    await timers.advance(1_000);
    platform.delete(one);
    await timers.advance(1_000);
    expect(platform.widgets.size).toBe(0);
  });

  it('of a removed resource, or of one with other finalizers, is not requested again', async () => {
    const { platform, timers, start } = run({ finalizer, finalize: async () => undefined });
    const one = platform.add('one');
    one.metadata.finalizers.push('someone/else');
    start();
    await timers.advance(5_000);
    platform.delete(one);
    await timers.advance(5_000);
    const before = platform.work.length;
    await timers.advance(60_000);
    // One more look after the release itself, and none after that.
    expect(platform.work.length - before).toBeLessThanOrEqual(1);
  });
});
