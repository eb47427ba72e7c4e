import type { ChangeEntry, ChangeLog, Cursor } from '@platform/change-log';
import { until } from '@platform/development/testing';
import type { HistoryEntry, Resource } from '@platform/resources';
import { deleteRow, signal } from '@platform/resources/conformance';
import { below, byUid, creation, given, reread, testChange } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { cursorColumn, cursorOfRead } from './cursor.ts';

const fixture = testStore({ poolMax: 16 });
const { database } = fixture;

/** Reads everything after the cursor in pages of `limit`, resuming from the text of the last entry or of the page, in turns. */
async function readAll(log: ChangeLog, from: Cursor, limit = 3): Promise<readonly ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (let cursor = from, turn = 0; ; turn += 1) {
    const page = await log.read(cursor, limit);
    entries.push(...page.changes);
    if (!page.more && page.changes.length === 0) return entries;
    const last = page.changes.at(-1);
    cursor = await log.parse(
      turn % 2 === 0 && last !== undefined ? log.advance(cursor, last).text : page.end.text,
    );
  }
}

const namesOf = (entries: readonly ChangeEntry[]) => entries.map(({ resource }) => resource.name);
const status = (row: Resource, value: string) =>
  fixture.store.writer.replaceStatus({
    change: testChange,
    definition: null,
    ref: byUid(row),
    slot: 's',
    value,
  });

describe('the change log', () => {
  it('has every write after its head, once the ticker has seen it', async () => {
    const { changeLog, ticks } = fixture.store;
    const head = await changeLog.head();
    const row = await given(fixture.store, { name: 'first' });
    await status(row, '1');
    expect((await changeLog.read(head, 10)).changes).toEqual([]);
    expect(await ticks.tick()).toBe('ticked');
    const { changes, end, more } = await changeLog.read(head, 10);
    expect(changes).toMatchObject([
      {
        operation: 'update',
        actor: { type: 'system', id: 'test' },
        removed: false,
        resource: row,
        previous: null,
      },
      { resource: await reread(fixture.store, row), previous: row },
    ]);
    expect(more).toBe(false);
    expect((await changeLog.read(end, 10)).changes).toEqual([]);
    expect(await ticks.tick()).toBe('idle');
  });

  // Accident: a page of a hundred large documents takes longer than a read may, so a stream that is behind never goes on.
  it('ends a page of large documents early, and has all of them in its pages', async () => {
    const { changeLog, ticks } = fixture.store;
    const head = await changeLog.head();
    const names = ['l1', 'l2', 'l3', 'l4'];
    const spec = JSON.stringify({ text: 'x'.repeat(6 * 1024 * 1024) });
    for (const name of names) await given(fixture.store, { name, spec });
    await ticks.tick();
    const page = await changeLog.read(head, 100);
    expect([namesOf(page.changes), page.more]).toEqual([['l1', 'l2'], true]);
    expect(namesOf(await readAll(changeLog, head, 100))).toEqual(names);
  });

  // Attack: a resource of a megabyte has hundreds of revisions, and every request for events reads all of them.
  it('reads the newest entries of the log without their documents', async () => {
    const { history } = fixture.store;
    const row = await given(fixture.store, { spec: JSON.stringify({ text: 'x'.repeat(1024 * 1024) }) });
    await status(row, '1');
    const recent = await history.recent({ ancestors: null, without: 'Lease' }, { limit: 10, among: 100 });
    const [newest] = recent.filter(({ resource }) => resource.uid === row.uid);
    const { name, revision, metadata, spec, status: shown } = newest?.resource ?? {};
    expect([name, revision, metadata, spec, shown]).toEqual([row.name, 2, '{}', '{}', '{}']);
    expect(newest?.previous).toBeNull();
  });

  // Attack: a resource of a megabyte has hundreds of revisions, and somebody reads its history until the memory is full.
  it('ends a page of the history of a large resource early, and says so', async () => {
    const { history, ticks } = fixture.store;
    const spec = JSON.stringify({ text: 'x'.repeat(6 * 1024 * 1024) });
    const row = await given(fixture.store, { spec });
    for (const value of ['1', '2', '3']) await status(row, value);
    await ticks.tick();
    const page = async (limit: number, last?: HistoryEntry) => {
      const before = last === undefined ? null : { revision: last.resource.revision, seq: last.seq };
      const entries = await history.entries(row.uid, { limit, before, scopes: null });
      return { entries, shown: entries.map(({ resource, endsPage }) => [resource.revision, endsPage]) };
    };
    const first = await page(10);
    expect(first.shown).toEqual([
      [4, undefined],
      [3, true],
    ]);
    expect((await page(10, first.entries.at(-1))).shown).toEqual([
      [2, undefined],
      [1, undefined],
    ]);
    expect((await page(2)).shown).toEqual([
      [4, undefined],
      [3, undefined],
    ]);
  });

  // Accident: the clock of the database was ahead and was set back, or a standby with a slower clock took over.
  it.each([
    ['an hour earlier', '-1 hour', '-1 hour', '-1 hour'],
    ['an hour earlier, and then at the same time', '-1 hour', '0 s', '20 ms'],
    ['at the same time, and then later', '0 s', '20 ms', '1 hour'],
  ])(
    'gives an entry the cursor of the first tick that shows it when the clock says of later ones: %s',
    async (_when, ...times) => {
      const { changeLog, history, ticks } = fixture.store;
      const { uid } = await given(fixture.store);
      await ticks.tick();
      const { tick } = await changeLog.head();
      for (const [index, time] of times.entries()) {
        await given(fixture.store);
        await ticks.tick();
        await database.sql`
        update change_ticks set time = (select time from changes where uid = ${uid}) + ${time}::interval
        where tick = ${tick + index + 1}`;
      }
      await database.sql`
      update change_ticks set time = (select time from changes where uid = ${uid}) + interval '40 ms' where tick = ${tick}`;
      const cursorOf = async () =>
        (await history.entries(uid, { limit: 1, before: null, scopes: null }))[0]?.cursor ?? '';
      const read = async () =>
        (await changeLog.read(await changeLog.parse(await cursorOf()), 10)).changes.length;
      expect(await read()).toBe(3);
      await database.sql`
      update change_ticks set time = (select time from changes where uid = ${uid}) - interval '1 hour' where tick >= ${tick}`;
      expect(await read()).toBe(3);
    },
  );

  it('wakes its listeners with each tick', async () => {
    let wakes = 0;
    const listening = await fixture.store.changeLog.listen(() => {
      wakes += 1;
    });
    // Listening begins with a wake-up.
    await until(() => wakes > 0);
    await given(fixture.store, { name: 'waking' });
    expect(await fixture.store.ticks.tick()).toBe('ticked');
    await until(() => wakes > 1);
    await listening.close();
    expect(wakes).toBe(2);
  });

  it('goes on where a cursor ended, whatever the size of the pages', async () => {
    const { changeLog, ticks } = fixture.store;
    const head = await changeLog.head();
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    for (const name of names) {
      await given(fixture.store, { name });
      if (Number(name.at(-1)) % 3 === 0) await ticks.tick();
    }
    await ticks.tick();
    for (const limit of [1, 2, 3, 100]) expect(namesOf(await readAll(changeLog, head, limit))).toEqual(names);
  });

  it('delays only the entries of a transaction that stays open', async () => {
    const { changeLog, ticks } = fixture.store;
    const head = await changeLog.head();
    const [written, end] = [signal(), signal()];
    const long = fixture.store.transactions.run(async ({ writer }) => {
      await writer.create(creation({ name: 'slow' }));
      written.send();
      await end.sent;
    });
    await written.sent;
    await given(fixture.store, { name: 'quick' });
    await ticks.tick();
    expect(namesOf(await readAll(changeLog, head))).toEqual(['quick']);
    end.send();
    await long;
    await ticks.tick();
    expect(namesOf(await readAll(changeLog, head))).toEqual(['quick', 'slow']);
  });

  it('skips what the snapshot of a list has shown, and only that', async () => {
    const { changeLog, ticks } = fixture.store;
    await ticks.tick();
    await given(fixture.store, { name: 'listed' });
    const [written, end] = [signal(), signal()];
    const open = fixture.store.transactions.run(async ({ writer }) => {
      await writer.create(creation({ name: 'uncommitted' }));
      written.send();
      await end.sent;
    });
    await written.sent;
    const [row] = await fixture.store.database.rows<readonly [string]>(`select ${cursorColumn}`);
    const listed = await changeLog.parse(cursorOfRead(row?.[0] ?? '').text);
    await ticks.tick();
    end.send();
    await open;
    await given(fixture.store, { name: 'later' });
    await ticks.tick();
    expect(namesOf(await readAll(changeLog, listed, 1))).toEqual(['uncommitted', 'later']);
  });

  it('knows its own cursors', async () => {
    const { changeLog, ticks } = fixture.store;
    const head = await changeLog.head();
    expect(await changeLog.parse(head.text)).toEqual(head);
    const decoded = Buffer.from(head.text, 'base64url').toString();
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    for (const text of ['', 'x', encoded('a.b'), `${head.text}=`, encoded(`00000000${decoded.slice(8)}`)]) {
      await expect(changeLog.parse(text)).rejects.toMatchObject({ code: 'invalid_query' });
    }
    await given(fixture.store);
    await ticks.tick();
    await database.sql`update change_ticks set mark = mark + 1 where tick = ${head.tick}`;
    await expect(changeLog.parse(head.text)).rejects.toMatchObject({ code: 'cursor_expired' });
    await expect(changeLog.read(head, 1)).rejects.toMatchObject({ code: 'cursor_expired' });
  });

  it('starts again after a restore into another cluster, and keeps the history', async () => {
    const { changeLog, ticks } = fixture.store;
    const before = await changeLog.head();
    await database.sql`update change_log set system_identifier = system_identifier + 1`;
    await ticks.verify();
    await expect(changeLog.parse(before.text)).rejects.toMatchObject({ code: 'cursor_expired' });
    const head = await changeLog.head();
    await given(fixture.store, { name: 'restored' });
    await ticks.tick();
    expect(namesOf(await readAll(changeLog, head))).toEqual(['restored']);
  });

  it('finds removals by path and changes by uid after a cursor', async () => {
    const { changeLog, ticks } = fixture.store;
    const parent = await given(fixture.store, { name: 'holder' });
    const part = await given(fixture.store, { name: 'part', collection: below('Part', parent) });
    await ticks.tick();
    const head = await changeLog.head();
    const path = [
      { group: 'example.dev', kind: 'Widget', name: 'holder' },
      { group: 'example.dev', kind: 'Part', name: 'part' },
    ];
    expect(await changeLog.firstRemoved(head, path)).toBeNull();
    expect(await changeLog.hasChanges(head, part.uid)).toBe(false);
    await deleteRow(fixture.store as never, part);
    await ticks.tick();
    expect(await changeLog.firstRemoved(head, path)).toBe(part.uid);
    expect(await changeLog.hasChanges(head, part.uid)).toBe(true);
    expect(await changeLog.firstRemoved(await changeLog.head(), path)).toBeNull();
    expect(await changeLog.hasChanges(await changeLog.head(), part.uid)).toBe(false);
  });
});
