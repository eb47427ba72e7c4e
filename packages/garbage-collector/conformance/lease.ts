import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

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
    expect(await store.collectorPause.state()).toMatchObject({ leader: 'b' });
  });
}

/** `CollectorPause`. */
export function pausing({ guarantee }: Suite): void {
  guarantee('a pause is seen by whoever takes or renews the lease, until it is over', async (store) => {
    const { collectorLease, collectorPause } = store;
    expect(await collectorLease.acquire('a', 60)).toMatchObject({ paused: false });
    await collectorPause.pause();
    expect(await collectorLease.acquire('a', 60)).toMatchObject({ paused: true });
    await store.endLease();
    expect(await collectorLease.acquire('b', 60)).toMatchObject({ paused: true });
    await collectorPause.resume();
    expect(await collectorLease.acquire('b', 60)).toMatchObject({ paused: false });
  });

  guarantee('pausing again changes nothing', async ({ collectorPause }) => {
    const first = await collectorPause.pause();
    expect(await collectorPause.pause()).toEqual(first);
    expect(await collectorPause.state()).toMatchObject(first);
    await collectorPause.resume();
    await collectorPause.resume();
    expect(await collectorPause.state()).toMatchObject({ pausedSince: null });
  });

  guarantee('the state names the leader only while its lease runs', async (store) => {
    await store.collectorLease.acquire('a', 60);
    expect(await store.collectorPause.state()).toEqual({ pausedSince: null, leader: 'a' });
    await store.endLease();
    expect(await store.collectorPause.state()).toEqual({ pausedSince: null, leader: null });
  });
}

async function token({ collectorLease }: GarbageCollectorStoreUnderTest, holder: string): Promise<number> {
  const attempt = await collectorLease.acquire(holder, 60);
  if (!attempt.held) throw new Error(`${holder} does not get the lease`);
  return attempt.fence.token;
}
