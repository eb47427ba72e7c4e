import { StorageUnavailable } from '@platform/kernel';
import { deleteRow, given, givenBelow } from '@platform/resources/conformance';
import { ExpiryCleaner } from '../src/expiry-cleaner.ts';
import { createFixture, type Fixture } from './fixture.ts';

describe('one leader among replicas', () => {
  it('collects, and the followers do not', async () => {
    const fixture = createFixture();
    const [first, second] = [fixture.collector({ holder: 'a' }), fixture.collector({ holder: 'b' })];
    await first.drain();
    await second.drain();
    await tree(fixture);
    await second.drain();
    expect(fixture.batches).toEqual([]);
    fixture.clock.advance(1_000);
    await first.drain();
    expect(fixture.rows()).toEqual([]);
  });

  it('is replaced within the lease when it is gone without a word', async () => {
    const fixture = createFixture();
    const [first, second] = [fixture.collector({ holder: 'a' }), fixture.collector({ holder: 'b' })];
    await first.drain();
    let waited = 0;
    while (!second.collector.leads) {
      const wait = await second.collector.step();
      if (second.collector.leads) break;
      fixture.clock.advance(wait);
      waited += wait;
    }
    expect(waited).toBe(15_000);
  });

  it('is replaced at once when it gives the lease back', async () => {
    const fixture = createFixture();
    const [first, second] = [fixture.collector({ holder: 'a' }), fixture.collector({ holder: 'b' })];
    await fixture.store.collectorWakeUps.listen((wakeUp) => second.collector.wake(wakeUp));
    await first.drain();
    await second.drain();
    await first.collector.close();
    await second.collector.step();
    expect(second.collector.leads).toBe(true);
  });

  it('is replaced at once by a replica that did not hear that the lease was given back', async () => {
    const fixture = createFixture();
    const [first, second] = [fixture.collector({ holder: 'a' }), fixture.collector({ holder: 'b' })];
    await first.drain();
    await second.drain();
    await first.collector.close();
    second.collector.wake({ reason: 'missed' });
    await second.collector.step();
    expect(second.collector.leads).toBe(true);
  });

  it('starts without state when another replica has led while it was suspended', async () => {
    const fixture = createFixture();
    const owner = await given(fixture.store);
    await givenBelow(fixture.store, [owner], 'Part', { finalizers: ['x/a'] });
    await deleteRow(fixture.store, owner);
    const [first, second] = [fixture.collector({ holder: 'a' }), fixture.collector({ holder: 'b' })];
    await first.drain();
    fixture.clock.advance(16_000);
    await second.drain();
    await second.collector.close();
    const before = first.reports.length;
    await first.collector.step();
    expect(first.reports.slice(before)).toMatchObject([{ examined: 2 }]);
  });

  it('renews the lease during a run that outlasts it', async () => {
    const fixture = createFixture();
    await tree(fixture);
    fixture.tamper = (uids) => {
      fixture.clock.advance(4_000);
      return uids;
    };
    const { drain, collector, reports } = fixture.collector({ batchSize: 1 });
    await drain();
    expect(collector.leads).toBe(true);
    expect(reports.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0)).toBeGreaterThan(
      15_000,
    );
    expect(fixture.rows()).toEqual([]);
  });

  it('stops during a run when another process has the lease', async () => {
    const fixture = createFixture();
    await tree(fixture);
    const [first, second] = [
      fixture.collector({ holder: 'a', batchSize: 1 }),
      fixture.collector({ holder: 'b' }),
    ];
    let batches = 0;
    fixture.tamper = (uids) => {
      batches += 1;
      if (batches === 3) fixture.clock.advance(15_000);
      return uids;
    };
    const step = first.collector.step();
    await step;
    expect(first.reports.at(-1)).toMatchObject({ outcome: 'deposed' });
    fixture.tamper = (uids) => uids;
    await fixture.store.endLease();
    await second.drain();
    expect(fixture.rows()).toEqual([]);
    expect(new Set([...first.cascades, ...second.cascades].map(({ dependent }) => dependent.uid)).size).toBe(
      first.cascades.length + second.cascades.length,
    );
  });
});

describe('the pause', () => {
  it('keeps a leader from collecting until it is resumed', async () => {
    const fixture = createFixture();
    const { drain, collector } = fixture.collector();
    await fixture.store.collectorWakeUps.listen((wakeUp) => collector.wake(wakeUp));
    await drain();
    await fixture.store.collectorPause.pause();
    await tree(fixture);
    for (let turn = 0; turn < 10; turn += 1) fixture.clock.advance(await collector.step());
    expect(fixture.batches).toEqual([]);
    expect(collector.leads).toBe(true);
    await fixture.store.collectorPause.resume();
    await drain();
    expect(fixture.rows()).toEqual([]);
  });

  it('ends a run before its next batch', async () => {
    const fixture = createFixture();
    await tree(fixture);
    fixture.tamper = (uids) => {
      void fixture.store.collectorPause.pause();
      return uids;
    };
    const { collector, reports } = fixture.collector({ batchSize: 1 });
    await collector.step();
    expect(reports.at(-1)).toMatchObject({ outcome: 'paused', batches: 0 });
    await fixture.store.collectorPause.resume();
    fixture.tamper = (uids) => uids;
    for (let turn = 0; turn < 10; turn += 1) fixture.clock.advance(await collector.step());
    expect(fixture.rows()).toEqual([]);
  });
});

describe('a collector that is told to stop', () => {
  it('ends the run after its current batch and releases the lease', async () => {
    const fixture = createFixture();
    await tree(fixture);
    const { collector, reports } = fixture.collector({ batchSize: 1 });
    fixture.tamper = (uids) => {
      if (fixture.batches.length === 2) collector.stop();
      return uids;
    };
    await collector.step();
    expect(reports).toMatchObject([{ outcome: 'stopped', batches: 3 }]);
    await collector.close();
    expect(await fixture.store.collectorPause.state()).toMatchObject({ leader: null });
  });
});

describe('polling', () => {
  it('finds without a wake-up what was tombstoned, within the interval', async () => {
    const fixture = createFixture();
    const { drain, collector } = fixture.collector();
    await drain();
    await tree(fixture);
    expect(await collector.step()).toBe(1_000);
    fixture.clock.advance(1_000);
    await drain();
    expect(fixture.rows()).toEqual([]);
  });

  it('finds within ten minutes what was changed past every rule', async () => {
    const fixture = createFixture();
    const owner = await given(fixture.store);
    const child = await givenBelow(fixture.store, [owner], 'Part', { finalizers: ['x/a'] });
    await deleteRow(fixture.store, owner);
    const { drain, collector, reports } = fixture.collector();
    await drain();
    for (let elapsed = 0; elapsed < 600_000; ) {
      const wait = await collector.step();
      fixture.clock.advance(wait);
      elapsed += wait;
    }
    const before = reports.length;
    await collector.step();
    expect(reports.slice(before)).toMatchObject([{ examined: 2 }]);
    expect(child.uid).not.toBe(owner.uid);
  });
});

describe('wake-ups', () => {
  it('of a row that is in a batch are not lost: the row is examined again', async () => {
    const fixture = createFixture();
    const { drain, collector, reports } = fixture.collector();
    await drain();
    const held = await given(fixture.store, { finalizers: ['x/a'] });
    await deleteRow(fixture.store, held);
    fixture.tamper = (uids) => {
      if (fixture.batches.length === 0) collector.wake({ reason: 'changed', uid: held.uid });
      return uids;
    };
    collector.wake({ reason: 'changed', uid: held.uid });
    await drain();
    expect(reports.at(-1)).toMatchObject({ examined: 2, batches: 2 });
  });

  it('of more rows than are kept lead to a scan of everything', async () => {
    const fixture = createFixture();
    const { drain, collector, reports } = fixture.collector();
    await deleteRow(fixture.store, await given(fixture.store, { finalizers: ['x/a'] }));
    await drain();
    for (let row = 0; row <= 10_000; row += 1) collector.wake({ reason: 'changed', uid: `row ${row}` });
    await drain();
    expect(reports.at(-1)).toMatchObject({ scanned: 1, batches: 0 });
  });
});

describe('cleanup tasks', () => {
  it('is done by the leader only, and not while the collector is paused', async () => {
    const fixture = createFixture();
    const runs: string[] = [];
    const replica = (holder: string) => {
      const { collector } = fixture.collector({ holder });
      const task = { name: holder, intervalMs: 60_000, run: record(runs, holder) };
      const cleaner = new ExpiryCleaner([task], () => collector.active, { ...fixture, report: () => {} });
      return async () => Math.min(await collector.step(), await cleaner.step());
    };
    const [first, second] = [replica('a'), replica('b')];
    await first();
    await second();
    expect(runs).toEqual(['a']);
    fixture.clock.advance(60_000);
    await first();
    expect(runs).toEqual(['a', 'a']);
    await fixture.store.collectorPause.pause();
    for (let turn = 0; turn < 60; turn += 1) fixture.clock.advance(await first());
    expect(runs).toEqual(['a', 'a']);
  });

  // Accident: a statement of the garbage collector times out for days, and nothing that has expired is deleted meanwhile.
  it('go on while runs fail', async () => {
    const fixture = createFixture();
    const { collector, failures } = fixture.collector();
    const runs: string[] = [];
    const task = { name: 'a', intervalMs: 60_000, run: record(runs, 'a') };
    const cleaner = new ExpiryCleaner([task], () => collector.active, { ...fixture, report: () => {} });
    fixture.tamper = () => {
      throw new StorageUnavailable('The statement took too long.');
    };
    await tree(fixture);
    const until = fixture.clock.now() + 200_000;
    while (fixture.clock.now() < until)
      fixture.clock.advance(Math.min(await collector.step(), await cleaner.step()));
    expect(failures.length).toBeGreaterThan(3);
    expect(runs).toHaveLength(4);
  });
});

/** A task that notes its runs, and finds nothing to delete. */
function record(runs: string[], name: string): () => Promise<number> {
  return async () => {
    runs.push(name);
    return 0;
  };
}

/** A tombstoned root with two held levels below it that nothing holds any more. */
async function tree(fixture: Fixture): Promise<void> {
  const root = await given(fixture.store);
  for (let count = 0; count < 3; count += 1) {
    const child = await givenBelow(fixture.store, [root], 'Part');
    for (let screws = 0; screws < 3; screws += 1) await givenBelow(fixture.store, [root, child], 'Screw');
  }
  await deleteRow(fixture.store, root);
}
