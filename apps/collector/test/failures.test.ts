import { RowsRefused } from '@platform/garbage-collector';
import { StorageUnavailable } from '@platform/kernel';
import { deleteRow, given, givenBelow, ownedBy, testChange } from '@platform/resources/conformance';
import { breakable, type World, world } from './world.ts';

const outage = new StorageUnavailable('The database cannot be reached.');
const refusal = new RowsRefused('P0001', new Error('not this one'));

function refuse(it: World, uid: string): void {
  it.tamper = (uids) => {
    if (uids.includes(uid)) throw refusal;
    return uids;
  };
}

describe('a row that the database refuses', () => {
  it('does not keep the others of its batch from going', async () => {
    const it = world();
    const rows = [];
    for (let count = 0; count < 20; count += 1) rows.push(await given(it.store, { finalizers: ['x/a'] }));
    for (const row of rows) await deleteRow(it.store, row);
    for (const row of rows) {
      await it.store.writer.changeFinalizers({
        change: testChange,
        definition: null,
        ref: { by: 'uid', uid: row.uid, group: 'example.dev', kind: 'Widget' },
        add: [],
        remove: ['x/a'],
        limit: 64,
      });
    }
    refuse(it, rows[7]?.uid as string);
    const { drain, reports } = it.collector();
    await drain();
    expect(it.rows().map(({ uid }) => uid)).toEqual([rows[7]?.uid]);
    expect(reports.at(-1)).toMatchObject({ removed: 19, refused: 1 });
    expect(it.logger.fieldsOf('collector: the database refuses to remove or tombstone a row')).toMatchObject([
      { uid: rows[7]?.uid, reason: 'P0001', attempts: 1 },
    ]);
  });

  it('is tried again alone, after a wait of its own that doubles', async () => {
    const it = world();
    const row = await heldNoMore(it);
    refuse(it, row.uid);
    const { drain, reports } = it.collector();
    await drain();
    for (const wait of [1_000, 2_000, 4_000]) {
      const before = reports.filter(({ refused }) => refused > 0).length;
      it.clock.advance(wait - 1);
      await drain();
      expect(reports.filter(({ refused }) => refused > 0)).toHaveLength(before);
      it.clock.advance(1);
      await drain();
      expect(reports.filter(({ refused }) => refused > 0)).toHaveLength(before + 1);
    }
    it.tamper = (uids) => uids;
    it.clock.advance(8_000);
    await drain();
    expect(it.rows()).toEqual([]);
  });

  it('keeps its owner, and neither is retried in a loop', async () => {
    const it = world();
    const owner = await given(it.store);
    const middle = await givenBelow(it.store, [owner], 'Part');
    const free = await given(it.store, { ownerReferences: [ownedBy(middle)] });
    await deleteRow(it.store, owner);
    refuse(it, free.uid);
    const { drain } = it.collector();
    await drain();
    // Nobody may lose a live dependent, so the owner of the refused row stays, and so does its parent.
    expect(new Set(it.rows().map(({ uid }) => uid))).toEqual(new Set([owner.uid, middle.uid, free.uid]));
    expect(it.batches.length).toBeLessThan(20);
    it.tamper = (uids) => uids;
    it.clock.advance(60_000);
    await drain();
    // The owner waits for its own retry, which is at most five seconds away.
    it.clock.advance(5_000);
    await drain();
    expect(it.rows()).toEqual([]);
  });

  it('does not delay other rows, however many are refused', async () => {
    const it = world();
    const refused = new Set<string>();
    for (let count = 0; count < 50; count += 1) refused.add((await heldNoMore(it)).uid);
    const order: string[] = [];
    it.tamper = (uids) => {
      if (uids.some((uid) => refused.has(uid))) throw refusal;
      order.push(...uids);
      return uids;
    };
    const { drain, reports, collector } = it.collector({ batchSize: 10 });
    await drain();
    const other = await heldNoMore(it);
    it.clock.advance(60_000);
    collector.wake({ reason: 'changed', uid: other.uid });
    await collector.step();
    expect(order.at(-1)).toBe(other.uid);
    expect(reports.at(-1)).toMatchObject({ removed: 1, refused: 20 });
    expect(it.logger.fieldsOf('collector: the database refuses to remove or tombstone a row')).toMatchObject([
      { refusals: 1 },
      { refusals: 50 },
    ]);
  });
});

describe('a row that another transaction has locked', () => {
  it('is left out, and collected soon after it is free', async () => {
    const it = world();
    const [busy, idle] = [await heldNoMore(it), await heldNoMore(it)];
    it.tamper = (uids) => uids.filter((uid) => uid !== busy.uid);
    const { drain } = it.collector();
    await drain();
    expect(it.rows().map(({ uid }) => uid)).toEqual([busy.uid]);
    expect(idle.uid).not.toBe(busy.uid);
    it.tamper = (uids) => uids;
    it.clock.advance(40);
    await drain();
    expect(it.rows()).toEqual([]);
  });

  it('is waited for in the end, so that one that is always locked gets its turn', async () => {
    const it = world();
    const busy = await heldNoMore(it);
    it.tamper = (uids, lockWait) => (lockWait === 'wait' ? uids : uids.filter((uid) => uid !== busy.uid));
    const { drain } = it.collector();
    for (let turn = 0; turn < 8 && it.rows().length > 0; turn += 1) {
      await drain();
      it.clock.advance(5_000);
    }
    expect(it.rows()).toEqual([]);
  });

  it('keeps an owner that it does not block from going, so that the cascade does not miss it', async () => {
    const it = world();
    const root = await given(it.store);
    const owner = await givenBelow(it.store, [root], 'Part');
    const busy = await given(it.store, { ownerReferences: [ownedBy(owner)] });
    await deleteRow(it.store, root);
    it.tamper = (uids) => uids.filter((uid) => uid !== busy.uid);
    const { drain, cascades } = it.collector();
    await drain();
    expect(new Set(it.rows().map(({ uid }) => uid))).toEqual(new Set([root.uid, owner.uid, busy.uid]));
    it.tamper = (uids) => uids;
    it.clock.advance(10_000);
    await drain();
    expect(it.rows()).toEqual([]);
    expect(cascades.map(({ dependent }) => dependent.uid)).toEqual([busy.uid]);
  });
});

describe('a database that is unavailable', () => {
  it('is retried after waits that double up to a minute', async () => {
    const it = world();
    await heldNoMore(it);
    it.tamper = () => {
      throw outage;
    };
    const { collector } = it.collector({ leaseSeconds: 3_600 });
    const failures = () => it.logger.fieldsOf('collector: run failed').length;
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const before = failures();
      expect(await collector.step()).toBe(wait);
      expect(failures()).toBe(before + 1);
      it.clock.advance(wait - 1);
      expect(await collector.step()).toBe(1);
      expect(failures()).toBe(before + 1);
      it.clock.advance(1);
    }
    it.tamper = (uids) => uids;
    await collector.step();
    expect(it.rows()).toEqual([]);
  });

  it('does not cost the lease, which is renewed while runs fail', async () => {
    const it = world();
    await heldNoMore(it);
    it.tamper = () => {
      throw outage;
    };
    const { collector } = it.collector();
    for (let elapsed = 0; elapsed < 120_000; ) {
      const wait = await collector.step();
      expect(collector.leads).toBe(true);
      it.clock.advance(wait);
      elapsed += wait;
    }
  });

  it('ends the leadership when the lease cannot be renewed, and with it all runs', async () => {
    const it = world();
    const lease = breakable(it.store.collectorLease);
    const { collector } = it.collector({}, { lease });
    await collector.step();
    lease.broken = outage;
    it.clock.advance(15_000);
    await collector.step();
    expect(collector.leads).toBe(false);
    await heldNoMore(it);
    const before = it.batches.length;
    for (let turn = 0; turn < 10; turn += 1) it.clock.advance(await collector.step());
    expect(it.batches).toHaveLength(before);
    lease.broken = null;
    it.clock.advance(60_000);
    await collector.step();
    expect(it.rows()).toEqual([]);
  });

  it('is tried again as soon as listening has begun again', async () => {
    const it = world();
    await heldNoMore(it);
    it.tamper = () => {
      throw outage;
    };
    const { collector } = it.collector();
    for (let turn = 0; turn < 6; turn += 1) it.clock.advance(await collector.step());
    await collector.step();
    it.tamper = (uids) => uids;
    collector.wake({ reason: 'missed' });
    await collector.step();
    expect(it.rows()).toEqual([]);
  });

  it('finds again what the batch that failed was about', async () => {
    const it = world();
    const root = await given(it.store);
    const child = await givenBelow(it.store, [root], 'Part');
    for (let count = 0; count < 6; count += 1) await givenBelow(it.store, [root, child], 'Screw');
    await deleteRow(it.store, root);
    let batches = 0;
    it.tamper = (uids) => {
      batches += 1;
      if (batches === 3) throw outage;
      return uids;
    };
    const { collector } = it.collector({ batchSize: 2 });
    for (let turn = 0; turn < 4; turn += 1) it.clock.advance(await collector.step());
    expect(it.rows()).toEqual([]);
  });
});

/** A tombstone that nothing holds any more. */
async function heldNoMore(it: World) {
  const row = await given(it.store, { finalizers: ['x/a'] });
  await deleteRow(it.store, row);
  await it.store.writer.changeFinalizers({
    change: testChange,
    definition: null,
    ref: { by: 'uid', uid: row.uid, group: 'example.dev', kind: row.kind },
    add: [],
    remove: ['x/a'],
    limit: 64,
  });
  return row;
}
