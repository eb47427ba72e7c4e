import { StorageUnavailable } from '@platform/kernel';
import { deleteRow, given, givenBelow } from '@platform/resources/conformance';
import { ExpiryCleaner } from '../src/expiry-cleaner.ts';
import { type World, world } from './world.ts';

describe('one leader among replicas', () => {
  it('collects, and the followers do not', async () => {
    const it = world();
    const [first, second] = [it.collector({ holder: 'a' }), it.collector({ holder: 'b' })];
    await first.drain();
    await second.drain();
    await tree(it);
    await second.drain();
    expect(it.batches).toEqual([]);
    it.clock.advance(1_000);
    await first.drain();
    expect(it.rows()).toEqual([]);
  });

  it('is replaced within the lease when it is gone without a word', async () => {
    const it = world();
    const [first, second] = [it.collector({ holder: 'a' }), it.collector({ holder: 'b' })];
    await first.drain();
    let waited = 0;
    while (!second.collector.leads) {
      const wait = await second.collector.step();
      if (second.collector.leads) break;
      it.clock.advance(wait);
      waited += wait;
    }
    expect(waited).toBe(15_000);
  });

  it('is replaced at once when it gives the lease back', async () => {
    const it = world();
    const [first, second] = [it.collector({ holder: 'a' }), it.collector({ holder: 'b' })];
    await it.store.collectorWakeUps.listen((wakeUp) => second.collector.wake(wakeUp));
    await first.drain();
    await second.drain();
    await first.collector.close();
    await second.collector.step();
    expect(second.collector.leads).toBe(true);
  });

  it('is replaced at once by a replica that did not hear that the lease was given back', async () => {
    const it = world();
    const [first, second] = [it.collector({ holder: 'a' }), it.collector({ holder: 'b' })];
    await first.drain();
    await second.drain();
    await first.collector.close();
    second.collector.wake({ reason: 'missed' });
    await second.collector.step();
    expect(second.collector.leads).toBe(true);
  });

  it('renews the lease during a run that outlasts it', async () => {
    const it = world();
    await tree(it);
    it.tamper = (uids) => {
      it.clock.advance(4_000);
      return uids;
    };
    const { drain, collector, reports } = it.collector({ batchSize: 1 });
    await drain();
    expect(collector.leads).toBe(true);
    expect(reports.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0)).toBeGreaterThan(
      15_000,
    );
    expect(it.rows()).toEqual([]);
  });

  it('stops during a run when another process has the lease', async () => {
    const it = world();
    await tree(it);
    const [first, second] = [it.collector({ holder: 'a', batchSize: 1 }), it.collector({ holder: 'b' })];
    let batches = 0;
    it.tamper = (uids) => {
      batches += 1;
      if (batches === 3) it.clock.advance(15_000);
      return uids;
    };
    const step = first.collector.step();
    await step;
    expect(first.reports.at(-1)).toMatchObject({ outcome: 'deposed' });
    it.tamper = (uids) => uids;
    await it.store.endLease();
    await second.drain();
    expect(it.rows()).toEqual([]);
    expect(new Set([...first.cascades, ...second.cascades].map(({ dependent }) => dependent.uid)).size).toBe(
      first.cascades.length + second.cascades.length,
    );
  });
});

describe('the pause', () => {
  it('keeps a leader from collecting until it is resumed', async () => {
    const it = world();
    const { drain, collector } = it.collector();
    await it.store.collectorWakeUps.listen((wakeUp) => collector.wake(wakeUp));
    await drain();
    await it.store.collectorPause.pause();
    await tree(it);
    for (let turn = 0; turn < 10; turn += 1) it.clock.advance(await collector.step());
    expect(it.batches).toEqual([]);
    expect(collector.leads).toBe(true);
    await it.store.collectorPause.resume();
    await drain();
    expect(it.rows()).toEqual([]);
  });

  it('ends a run before its next batch', async () => {
    const it = world();
    await tree(it);
    it.tamper = (uids) => {
      void it.store.collectorPause.pause();
      return uids;
    };
    const { collector, reports } = it.collector({ batchSize: 1 });
    await collector.step();
    expect(reports.at(-1)).toMatchObject({ outcome: 'paused', batches: 0 });
    await it.store.collectorPause.resume();
    it.tamper = (uids) => uids;
    for (let turn = 0; turn < 10; turn += 1) it.clock.advance(await collector.step());
    expect(it.rows()).toEqual([]);
  });
});

describe('a collector that is told to stop', () => {
  it('ends the run after its current batch and releases the lease', async () => {
    const it = world();
    await tree(it);
    const { collector, reports } = it.collector({ batchSize: 1 });
    it.tamper = (uids) => {
      if (it.batches.length === 2) collector.stop();
      return uids;
    };
    await collector.step();
    expect(reports).toMatchObject([{ outcome: 'stopped', batches: 3 }]);
    await collector.close();
    expect(await it.store.collectorPause.state()).toMatchObject({ leader: null });
  });
});

describe('polling', () => {
  it('finds without a wake-up what was tombstoned, within the interval', async () => {
    const it = world();
    const { drain, collector } = it.collector();
    await drain();
    await tree(it);
    expect(await collector.step()).toBe(1_000);
    it.clock.advance(1_000);
    await drain();
    expect(it.rows()).toEqual([]);
  });

  it('finds within ten minutes what was changed past every rule', async () => {
    const it = world();
    const owner = await given(it.store);
    const child = await givenBelow(it.store, [owner], 'Part', { finalizers: ['x/a'] });
    await deleteRow(it.store, owner);
    const { drain, collector, reports } = it.collector();
    await drain();
    for (let elapsed = 0; elapsed < 600_000; ) {
      const wait = await collector.step();
      it.clock.advance(wait);
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
    const it = world();
    const { drain, collector, reports } = it.collector();
    await drain();
    const held = await given(it.store, { finalizers: ['x/a'] });
    await deleteRow(it.store, held);
    it.tamper = (uids) => {
      if (it.batches.length === 0) collector.wake({ reason: 'changed', uid: held.uid });
      return uids;
    };
    collector.wake({ reason: 'changed', uid: held.uid });
    await drain();
    expect(reports.at(-1)).toMatchObject({ examined: 2, batches: 2 });
  });

  it('of more rows than are kept lead to a scan of everything', async () => {
    const it = world();
    const { drain, collector, reports } = it.collector();
    await deleteRow(it.store, await given(it.store, { finalizers: ['x/a'] }));
    await drain();
    for (let row = 0; row <= 10_000; row += 1) collector.wake({ reason: 'changed', uid: `row ${row}` });
    await drain();
    expect(reports.at(-1)).toMatchObject({ scanned: 1, batches: 0 });
  });
});

describe('cleanup tasks', () => {
  it('is done by the leader only, and not while the collector is paused', async () => {
    const it = world();
    const runs: string[] = [];
    const replica = (holder: string) => {
      const { collector } = it.collector({ holder });
      const task = { name: holder, intervalMs: 60_000, run: record(runs, holder) };
      const cleaner = new ExpiryCleaner([task], () => collector.active, { ...it, report: () => {} });
      return async () => Math.min(await collector.step(), await cleaner.step());
    };
    const [first, second] = [replica('a'), replica('b')];
    await first();
    await second();
    expect(runs).toEqual(['a']);
    it.clock.advance(60_000);
    await first();
    expect(runs).toEqual(['a', 'a']);
    await it.store.collectorPause.pause();
    for (let turn = 0; turn < 60; turn += 1) it.clock.advance(await first());
    expect(runs).toEqual(['a', 'a']);
  });

  // Accident: a statement of the garbage collector times out for days, and nothing that has expired is deleted meanwhile.
  it('go on while runs fail', async () => {
    const it = world();
    const { collector } = it.collector();
    const runs: string[] = [];
    const task = { name: 'a', intervalMs: 60_000, run: record(runs, 'a') };
    const cleaner = new ExpiryCleaner([task], () => collector.active, { ...it, report: () => {} });
    it.tamper = () => {
      throw new StorageUnavailable('The statement took too long.');
    };
    await tree(it);
    const until = it.clock.now() + 200_000;
    while (it.clock.now() < until) it.clock.advance(Math.min(await collector.step(), await cleaner.step()));
    expect(it.logger.fieldsOf('collector: run failed').length).toBeGreaterThan(3);
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
async function tree(it: World): Promise<void> {
  const root = await given(it.store);
  for (let count = 0; count < 3; count += 1) {
    const child = await givenBelow(it.store, [root], 'Part');
    for (let screws = 0; screws < 3; screws += 1) await givenBelow(it.store, [root, child], 'Screw');
  }
  await deleteRow(it.store, root);
}
