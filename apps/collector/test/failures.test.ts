import { RowsRefused } from '@platform/garbage-collector';
import { deleteRow, given, givenBelow, ownedBy, testChange } from '@platform/resources/conformance';
import { createFixture, type Fixture, heldNoMore } from './fixture.ts';

const refusal = new RowsRefused('P0001', new Error('not this one'));

function refuse(fixture: Fixture, uid: string): void {
  fixture.tamper = (uids) => {
    if (uids.includes(uid)) throw refusal;
    return uids;
  };
}

describe('a row that the database refuses', () => {
  it('does not keep the others of its batch from going', async () => {
    const fixture = createFixture();
    const rows = [];
    for (let count = 0; count < 20; count += 1)
      rows.push(await given(fixture.store, { finalizers: ['x/a'] }));
    for (const row of rows) await deleteRow(fixture.store, row);
    for (const row of rows) {
      await fixture.store.writer.changeFinalizers({
        change: testChange,
        definition: null,
        ref: { by: 'uid', uid: row.uid, group: 'example.dev', kind: 'Widget' },
        add: [],
        remove: ['x/a'],
        limit: 64,
      });
    }
    refuse(fixture, rows[7]?.uid as string);
    const { drain, reports } = fixture.collector();
    await drain();
    expect(fixture.rows().map(({ uid }) => uid)).toEqual([rows[7]?.uid]);
    expect(reports.at(-1)).toMatchObject({ removed: 19, refused: 1 });
    expect(
      fixture.logger.fieldsOf('collector: the database refuses to remove or tombstone a row'),
    ).toMatchObject([{ uid: rows[7]?.uid, reason: 'P0001', attempts: 1 }]);
  });

  it('is tried again alone, after a wait of its own that doubles', async () => {
    const fixture = createFixture();
    const row = await heldNoMore(fixture);
    refuse(fixture, row.uid);
    const { drain, reports } = fixture.collector();
    await drain();
    for (const wait of [1_000, 2_000, 4_000]) {
      const before = reports.filter(({ refused }) => refused > 0).length;
      fixture.clock.advance(wait - 1);
      await drain();
      expect(reports.filter(({ refused }) => refused > 0)).toHaveLength(before);
      fixture.clock.advance(1);
      await drain();
      expect(reports.filter(({ refused }) => refused > 0)).toHaveLength(before + 1);
    }
    fixture.tamper = (uids) => uids;
    fixture.clock.advance(8_000);
    await drain();
    expect(fixture.rows()).toEqual([]);
  });

  it('keeps its owner, and neither is retried in a loop', async () => {
    const fixture = createFixture();
    const owner = await given(fixture.store);
    const middle = await givenBelow(fixture.store, [owner], 'Part');
    const free = await given(fixture.store, { ownerReferences: [ownedBy(middle)] });
    await deleteRow(fixture.store, owner);
    refuse(fixture, free.uid);
    const { drain } = fixture.collector();
    await drain();
    // Nobody may lose a live dependent, so the owner of the refused row stays, and so does its parent.
    expect(new Set(fixture.rows().map(({ uid }) => uid))).toEqual(new Set([owner.uid, middle.uid, free.uid]));
    expect(fixture.batches.length).toBeLessThan(20);
    fixture.tamper = (uids) => uids;
    fixture.clock.advance(60_000);
    await drain();
    // The owner waits for its own retry, which is at most five seconds away.
    fixture.clock.advance(5_000);
    await drain();
    expect(fixture.rows()).toEqual([]);
  });

  it('does not delay other rows, however many are refused', async () => {
    const fixture = createFixture();
    const refused = new Set<string>();
    for (let count = 0; count < 50; count += 1) refused.add((await heldNoMore(fixture)).uid);
    const order: string[] = [];
    fixture.tamper = (uids) => {
      if (uids.some((uid) => refused.has(uid))) throw refusal;
      order.push(...uids);
      return uids;
    };
    const { drain, reports, collector } = fixture.collector({ batchSize: 10 });
    await drain();
    const other = await heldNoMore(fixture);
    fixture.clock.advance(60_000);
    collector.wake({ reason: 'changed', uid: other.uid });
    await collector.step();
    expect(order.at(-1)).toBe(other.uid);
    expect(reports.at(-1)).toMatchObject({ removed: 1, refused: 20 });
    expect(
      fixture.logger.fieldsOf('collector: the database refuses to remove or tombstone a row'),
    ).toMatchObject([{ refusals: 1 }, { refusals: 50 }]);
  });
});

describe('a row that another transaction has locked', () => {
  it('is left out, and collected soon after it is free', async () => {
    const fixture = createFixture();
    const [busy, idle] = [await heldNoMore(fixture), await heldNoMore(fixture)];
    fixture.tamper = (uids) => uids.filter((uid) => uid !== busy.uid);
    const { drain } = fixture.collector();
    await drain();
    expect(fixture.rows().map(({ uid }) => uid)).toEqual([busy.uid]);
    expect(idle.uid).not.toBe(busy.uid);
    fixture.tamper = (uids) => uids;
    fixture.clock.advance(40);
    await drain();
    expect(fixture.rows()).toEqual([]);
  });

  it('is waited for in the end, so that one that is always locked gets its turn', async () => {
    const fixture = createFixture();
    const busy = await heldNoMore(fixture);
    fixture.tamper = (uids, lockWait) =>
      lockWait === 'wait' ? uids : uids.filter((uid) => uid !== busy.uid);
    const { drain } = fixture.collector();
    for (let turn = 0; turn < 8 && fixture.rows().length > 0; turn += 1) {
      await drain();
      fixture.clock.advance(5_000);
    }
    expect(fixture.rows()).toEqual([]);
  });

  it('keeps an owner that it does not block from going, so that the cascade does not miss it', async () => {
    const fixture = createFixture();
    const root = await given(fixture.store);
    const owner = await givenBelow(fixture.store, [root], 'Part');
    const busy = await given(fixture.store, { ownerReferences: [ownedBy(owner)] });
    await deleteRow(fixture.store, root);
    fixture.tamper = (uids) => uids.filter((uid) => uid !== busy.uid);
    const { drain, cascades } = fixture.collector();
    await drain();
    expect(new Set(fixture.rows().map(({ uid }) => uid))).toEqual(new Set([root.uid, owner.uid, busy.uid]));
    fixture.tamper = (uids) => uids;
    fixture.clock.advance(10_000);
    await drain();
    expect(fixture.rows()).toEqual([]);
    expect(cascades.map(({ dependent }) => dependent.uid)).toEqual([busy.uid]);
  });
});
