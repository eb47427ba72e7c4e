import { StorageUnavailable } from '@platform/kernel';
import { deleteRow, given } from '@platform/resources/conformance';
import { createMetrics } from '../src/metrics.ts';
import { breakable, createFixture, type Fixture } from './fixture.ts';

const outage = new StorageUnavailable('The database cannot be reached.');

/** A collector and what its metrics say now. */
function measured(settings: Parameters<Fixture['collector']>[1] = {}, fixture = createFixture()) {
  const { metrics, render } = createMetrics('0.0.0');
  const { collector, drain } = fixture.collector({}, { metrics, ...settings });
  const value = async (name: string) => {
    const line = new RegExp(`^platform_collector_${name} (.*)$`, 'm').exec(await render());
    return Number(line?.[1]);
  };
  return { fixture, collector, drain, value };
}

describe('the metrics of a collector', () => {
  it('report held tombstones while it leads, and drop them when another one does', async () => {
    const { fixture, collector, drain, value } = measured();
    const held = await given(fixture.store, { finalizers: ['x/a'] });
    await deleteRow(fixture.store, held);
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
    const { fixture, collector, drain, value } = measured();
    await fixture.store.collectorWakeUps.listen((wakeUp) => collector.wake(wakeUp));
    await drain();
    expect(await value('paused')).toBe(0);
    await fixture.store.collectorPause.pause();
    await collector.step();
    expect([await value('paused'), await value('leader')]).toEqual([1, 1]);
    await fixture.store.collectorPause.resume();
    await collector.step();
    expect(await value('paused')).toBe(0);
  });

  it('report no failure any more when a follower reaches the database again', async () => {
    const fixture = createFixture();
    const { drain } = fixture.collector();
    await drain();
    const lease = breakable(fixture.store.collectorLease);
    const { collector, value } = measured({ lease }, fixture);
    lease.broken = outage;
    for (let turn = 0; turn < 8; turn += 1) fixture.clock.advance(await collector.step());
    expect(await value('back_off_seconds')).toBeGreaterThan(1);
    lease.broken = null;
    // Somebody else leads; the clock has gone past the end of its lease.
    await fixture.store.collectorLease.acquire('another', 3_600);
    fixture.clock.advance(await collector.step());
    expect(collector.leads).toBe(false);
    expect(await value('back_off_seconds')).toBe(0);
  });

  it('report failures for as long as runs fail, although the lease is renewed', async () => {
    const { fixture, collector, value } = measured();
    await deleteRow(fixture.store, await given(fixture.store, { finalizers: ['x/a'] }));
    fixture.tamper = () => {
      throw outage;
    };
    for (let elapsed = 0; elapsed < 60_000; ) {
      const wait = await collector.step();
      expect(await value('back_off_seconds')).toBeGreaterThan(0);
      fixture.clock.advance(wait);
      elapsed += wait;
    }
  });
});
