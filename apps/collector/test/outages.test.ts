import { StorageUnavailable } from '@platform/kernel';
import { deleteRow, given, givenBelow } from '@platform/resources/conformance';
import { breakable, createFixture, heldNoMore } from './fixture.ts';

const outage = new StorageUnavailable('The database cannot be reached.');

describe('a database that is unavailable', () => {
  it('is retried after waits that double up to a minute', async () => {
    const fixture = createFixture();
    await heldNoMore(fixture);
    fixture.tamper = () => {
      throw outage;
    };
    const { collector, failures } = fixture.collector({ leaseSeconds: 3_600 });
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const before = failures.length;
      expect(await collector.step()).toBe(wait);
      expect(failures).toHaveLength(before + 1);
      fixture.clock.advance(wait - 1);
      expect(await collector.step()).toBe(1);
      expect(failures).toHaveLength(before + 1);
      fixture.clock.advance(1);
    }
    fixture.tamper = (uids) => uids;
    await collector.step();
    expect(fixture.rows()).toEqual([]);
  });

  it('is retried after waits that double by a follower, too, also when its timer fires a moment early', async () => {
    const fixture = createFixture();
    const lease = breakable(fixture.store.collectorLease);
    lease.broken = outage;
    // Time passes between two readings of the clock.
    const clock = {
      now: () => {
        fixture.clock.advance(0.2);
        return fixture.clock.now();
      },
    };
    const { collector, failures } = fixture.collector({}, { lease, clock });
    for (let count = 1; count <= 4; count += 1) {
      while (failures.length < count) fixture.clock.advance(Math.max(0, (await collector.step()) - 0.3));
    }
    expect(failures).toEqual([1, 2, 4, 8]);
  });

  it.each(['a leader', 'a follower'])(
    'has one line at its beginning and one at its end in the log of %s',
    async (role) => {
      const fixture = createFixture();
      if (role === 'a follower') await fixture.store.collectorLease.acquire('another', 86_400);
      const lease = breakable(fixture.store.collectorLease);
      const { collector, failures } = fixture.collector({}, { lease });
      await collector.step();
      lease.broken = new StorageUnavailable('The database cannot be reached.', new Error('refused'));
      while (failures.length < 5) fixture.clock.advance(await collector.step());
      lease.broken = null;
      for (let turn = 0; turn < 5; turn += 1) fixture.clock.advance(await collector.step());
      const outage = fixture.logger.lines.filter(({ message }) => !message.endsWith('leading'));
      expect(outage).toEqual([
        {
          level: 'warn',
          message: 'collector: the database is unavailable, trying again',
          fields: { reason: 'The database cannot be reached: refused' },
        },
        {
          level: 'info',
          message: 'collector: the database is available again',
          fields: { seconds: expect.any(Number) },
        },
      ]);
    },
  );

  it('has other words than a fault of the collector, which is logged with each attempt and its stack', async () => {
    const fixture = createFixture();
    await heldNoMore(fixture);
    const error = new TypeError('a bug');
    fixture.tamper = () => {
      throw error;
    };
    const { collector } = fixture.collector();
    for (let turn = 0; turn < 4; turn += 1) fixture.clock.advance(await collector.step());
    expect(fixture.logger.fieldsOf('collector: run failed')[1]).toMatchObject({ failures: 2, error });
  });

  it('does not cost the lease, which is renewed while runs fail', async () => {
    const fixture = createFixture();
    await heldNoMore(fixture);
    fixture.tamper = () => {
      throw outage;
    };
    const { collector } = fixture.collector();
    for (let elapsed = 0; elapsed < 120_000; ) {
      const wait = await collector.step();
      expect(collector.leads).toBe(true);
      fixture.clock.advance(wait);
      elapsed += wait;
    }
  });

  it('ends the leadership when the lease cannot be renewed, and with it all runs', async () => {
    const fixture = createFixture();
    const lease = breakable(fixture.store.collectorLease);
    const { collector } = fixture.collector({}, { lease });
    await collector.step();
    lease.broken = outage;
    fixture.clock.advance(15_000);
    await collector.step();
    expect(collector.leads).toBe(false);
    await heldNoMore(fixture);
    const before = fixture.batches.length;
    for (let turn = 0; turn < 10; turn += 1) fixture.clock.advance(await collector.step());
    expect(fixture.batches).toHaveLength(before);
    lease.broken = null;
    fixture.clock.advance(60_000);
    await collector.step();
    expect(fixture.rows()).toEqual([]);
  });

  it('is tried again as soon as listening has begun again', async () => {
    const fixture = createFixture();
    await heldNoMore(fixture);
    fixture.tamper = () => {
      throw outage;
    };
    const { collector } = fixture.collector();
    for (let turn = 0; turn < 6; turn += 1) fixture.clock.advance(await collector.step());
    await collector.step();
    fixture.tamper = (uids) => uids;
    collector.wake({ reason: 'missed' });
    await collector.step();
    expect(fixture.rows()).toEqual([]);
  });

  // Accident: the connection that listens is answered a moment before the pool knows that the server answers again.
  it('is tried again within seconds when the first attempt after the outage fails, too', async () => {
    const fixture = createFixture();
    const lease = breakable(fixture.store.collectorLease);
    lease.broken = outage;
    const { collector, failures } = fixture.collector({}, { lease });
    while (failures.length < 8) fixture.clock.advance(await collector.step());
    collector.wake({ reason: 'missed' });
    expect(await collector.step()).toBe(2_000);
    lease.broken = null;
    fixture.clock.advance(2_000);
    await collector.step();
    expect(collector.leads).toBe(true);
    expect(fixture.logger.fieldsOf('collector: the database is available again')).toHaveLength(1);
  });

  it('finds again what the batch that failed was about', async () => {
    const fixture = createFixture();
    const root = await given(fixture.store);
    const child = await givenBelow(fixture.store, [root], 'Part');
    for (let count = 0; count < 6; count += 1) await givenBelow(fixture.store, [root, child], 'Screw');
    await deleteRow(fixture.store, root);
    let batches = 0;
    fixture.tamper = (uids) => {
      batches += 1;
      if (batches === 3) throw outage;
      return uids;
    };
    const { collector } = fixture.collector({ batchSize: 2 });
    for (let turn = 0; turn < 4; turn += 1) fixture.clock.advance(await collector.step());
    expect(fixture.rows()).toEqual([]);
  });
});
