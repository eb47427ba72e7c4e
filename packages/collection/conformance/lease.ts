import type { CollectionUnderTest, Suite } from './suite.ts';

/** `Lease`. */
export function lease({ guarantee }: Suite): void {
  guarantee('of many who try at once, one leads', async ({ collectorLease }) => {
    const attempts = await Promise.all(
      Array.from({ length: 12 }, (_, index) => collectorLease.acquire(`replica ${index}`, 60)),
    );
    expect(attempts.filter(({ held }) => held)).toHaveLength(1);
  });

  guarantee('others are told how long the lease still runs', async ({ collectorLease }) => {
    await collectorLease.acquire('a', 60);
    const attempt = await collectorLease.acquire('b', 60);
    if (attempt.held) throw new Error('two lead');
    expect(attempt.freeInMs).toBeGreaterThan(0);
    // Rounded up, so that nobody comes too early.
    expect(attempt.freeInMs).toBeLessThanOrEqual(60_001);
  });

  guarantee('a renewal keeps the token, a change of holder makes it grow', async (store) => {
    const first = await token(store, 'a');
    expect(await token(store, 'a')).toBe(first);
    await store.endLease();
    expect(await token(store, 'a')).toBe(first);
    await store.endLease();
    const second = await token(store, 'b');
    expect(second).toBeGreaterThan(first);
    await store.endLease();
    expect(await token(store, 'a')).toBeGreaterThan(second);
  });

  guarantee(
    'a lease that is given back is free at once, and its token is never valid again',
    async (store) => {
      const first = await token(store, 'a');
      await store.collectorLease.release({ holder: 'a', token: first });
      expect(await token(store, 'b')).toBeGreaterThan(first);
      await store.endLease();
      expect(await token(store, 'a')).toBeGreaterThan(first);
    },
  );

  guarantee('who gives back a lease that has passed on takes it from nobody', async (store) => {
    const first = await token(store, 'a');
    await store.endLease();
    await token(store, 'b');
    await store.collectorLease.release({ holder: 'a', token: first });
    expect(await store.collectorLease.acquire('c', 60)).toMatchObject({ held: false });
    expect(await store.collectorSwitch.state()).toMatchObject({ leader: 'b' });
  });
}

/** `CollectorSwitch`. */
export function pausing({ guarantee }: Suite): void {
  guarantee('a pause is seen by whoever takes or renews the lease, until it is over', async (store) => {
    const { collectorLease, collectorSwitch } = store;
    expect(await collectorLease.acquire('a', 60)).toMatchObject({ paused: false });
    await collectorSwitch.pause();
    expect(await collectorLease.acquire('a', 60)).toMatchObject({ paused: true });
    await store.endLease();
    expect(await collectorLease.acquire('b', 60)).toMatchObject({ paused: true });
    await collectorSwitch.resume();
    expect(await collectorLease.acquire('b', 60)).toMatchObject({ paused: false });
  });

  guarantee('pausing again changes nothing', async ({ collectorSwitch }) => {
    const first = await collectorSwitch.pause();
    expect(await collectorSwitch.pause()).toEqual(first);
    expect(await collectorSwitch.state()).toMatchObject(first);
    await collectorSwitch.resume();
    await collectorSwitch.resume();
    expect(await collectorSwitch.state()).toMatchObject({ pausedSince: null });
  });

  guarantee('the state names the leader only while its lease runs', async (store) => {
    await store.collectorLease.acquire('a', 60);
    expect(await store.collectorSwitch.state()).toEqual({ pausedSince: null, leader: 'a' });
    await store.endLease();
    expect(await store.collectorSwitch.state()).toEqual({ pausedSince: null, leader: null });
  });
}

async function token({ collectorLease }: CollectionUnderTest, holder: string): Promise<number> {
  const attempt = await collectorLease.acquire(holder, 60);
  if (!attempt.held) throw new Error(`${holder} does not get the lease`);
  return attempt.fence.token;
}
