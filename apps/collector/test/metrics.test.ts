import { StorageUnavailable } from '@platform/kernel';
import { deleteRow, given } from '@platform/resources/conformance';
import { createMetrics } from '../src/metrics.ts';
import { breakable, world } from './world.ts';

const outage = new StorageUnavailable('The database cannot be reached.');

/** A collector and what its metrics say now. */
function measured(settings: Parameters<ReturnType<typeof world>['collector']>[1] = {}, it = world()) {
  const { metrics, render } = createMetrics('0.0.0');
  const { collector, drain } = it.collector({}, { metrics, ...settings });
  const value = async (name: string) => {
    const line = new RegExp(`^platform_collector_${name} (.*)$`, 'm').exec(await render());
    return Number(line?.[1]);
  };
  return { it, collector, drain, value };
}

describe('the metrics of a collector', () => {
  it('report held tombstones while it leads, and drop them when another one does', async () => {
    const { it, collector, drain, value } = measured();
    const held = await given(it.store, { finalizers: ['x/a'] });
    await deleteRow(it.store, held);
    await drain();
    expect([await value('leader'), await value('stuck_rows'), await value('backlog_rows')]).toEqual([
      1, 1, 1,
    ]);
    expect(await value('oldest_tombstone_timestamp_seconds')).toBeGreaterThan(0);
    await collector.close();
    for (const name of ['leader', 'stuck_rows', 'backlog_rows', 'oldest_tombstone_timestamp_seconds']) {
      expect([name, await value(name)]).toEqual([name, 0]);
    }
  });

  it('tell that it is paused, for as long as it is', async () => {
    const { it, collector, drain, value } = measured();
    await it.store.collectorWakeUps.listen((wakeUp) => collector.wake(wakeUp));
    await drain();
    expect(await value('paused')).toBe(0);
    await it.store.collectorPause.pause();
    await collector.step();
    expect([await value('paused'), await value('leader')]).toEqual([1, 1]);
    await it.store.collectorPause.resume();
    await collector.step();
    expect(await value('paused')).toBe(0);
  });

  it('report no failure any more when a follower reaches the database again', async () => {
    const it = world();
    const { drain } = it.collector();
    await drain();
    const lease = breakable(it.store.collectorLease);
    const { collector, value } = measured({ lease }, it);
    lease.broken = outage;
    for (let turn = 0; turn < 8; turn += 1) it.clock.advance(await collector.step());
    expect(await value('back_off_seconds')).toBeGreaterThan(1);
    lease.broken = null;
    // Somebody else leads; the clock has gone past the end of its lease.
    await it.store.collectorLease.acquire('another', 3_600);
    it.clock.advance(await collector.step());
    expect(collector.leads).toBe(false);
    expect(await value('back_off_seconds')).toBe(0);
  });

  it('report failures for as long as runs fail, although the lease is renewed', async () => {
    const { it, collector, value } = measured();
    await deleteRow(it.store, await given(it.store, { finalizers: ['x/a'] }));
    it.tamper = () => {
      throw outage;
    };
    for (let elapsed = 0; elapsed < 60_000; ) {
      const wait = await collector.step();
      expect(await value('back_off_seconds')).toBeGreaterThan(0);
      it.clock.advance(wait);
      elapsed += wait;
    }
  });
});
