import type { Cursor } from '@platform/change-log';
import { below, byUid, given, testChange } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { cursorColumn, cursorOfRead } from './cursor.ts';

const fixture = testStore({}, { mostDependentsMarked: 0 });

/** A parent that is deleted, whose child is a tombstone before it is marked as deleted. */
async function pending(): Promise<string> {
  const parent = await given(fixture.store);
  await given(fixture.store, { collection: below('Part', parent) });
  await fixture.store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(parent), null);
    await deletion.tombstone(parent.uid, { cascadeFinalizer: true, change: testChange });
    await deletion.cascade(parent.uid, { ...testChange, operation: 'cascade' });
  });
  return parent.uid;
}

async function readCursor(): Promise<Cursor> {
  const [row] = await fixture.store.database.rows<readonly [string]>(`select ${cursorColumn}`);
  return await fixture.store.changeLog.parse(cursorOfRead(row?.[0] ?? '').text);
}

/** The cursor of a reader that goes on for some ticks. */
async function later(cursor: Cursor, count: number): Promise<Cursor> {
  const { changeLog, ticks } = fixture.store;
  let end = cursor;
  for (let tick = 0; tick < count; tick += 1) {
    await given(fixture.store);
    await ticks.tick();
    const page = await changeLog.read(end, 100);
    end = changeLog.advance(end, { ...page.end, cursor: page.end });
  }
  return end;
}

describe('the cursor of a read that has shown tombstones before they were marked as deleted', () => {
  it('knows their owner for as long as they are not marked as deleted, and a few ticks more', async () => {
    const { changeLog } = fixture.store;
    await fixture.store.ticks.tick();
    const owner = await pending();
    const later5 = await later(await readCursor(), 5);
    expect(later5.snapshot).toContain(`~${owner}`);
    expect(await changeLog.parse(later5.text)).toEqual(later5);
    await fixture.database.sql`delete from pending_cascades`;
    const ending = await changeLog.parse(later5.text);
    expect(ending.snapshot).toContain(`~${owner}!`);
    expect(await changeLog.parse(ending.text)).toEqual(ending);
    expect((await later(ending, 1)).snapshot).toContain(owner);
    expect((await later(ending, 3)).snapshot).toBeNull();
  });

  // Attack: deletions without an end make cursors that no URL has room for.
  it('names a bounded number of owners', async () => {
    for (let count = 0; count < 18; count += 1) await pending();
    const cursor = await readCursor();
    expect(cursor.snapshot?.split(/[~,]/).filter((part) => part.includes('-'))).toHaveLength(16);
    expect(cursor.text.length).toBeLessThan(1_000);
  });

  it('takes no text that is not of this form', async () => {
    const { changeLog } = fixture.store;
    const { text, snapshot } = await readCursor();
    const decoded = Buffer.from(text, 'base64url').toString();
    const owners = snapshot?.split('~')[1] ?? '';
    for (const more of [`~${owners},${owners}`, '~x', `~${owners}!`, `~${owners}!x`, '~']) {
      const forged = Buffer.from(decoded.replace(`~${owners}`, more)).toString('base64url');
      await expect(changeLog.parse(forged)).rejects.toMatchObject({ code: 'invalid_query' });
    }
  });

  // Attack: a cursor whose snapshot PostgreSQL refuses to read fails a stream that has begun.
  it.each(['0:0:', '500:400:', '400:500:450,420', '400:500:390', '400:500:500', '400:500:,', '400:500:450,'])(
    'takes no snapshot that PostgreSQL does not read: %s',
    async (snapshot) => {
      const { changeLog } = fixture.store;
      const { text } = await readCursor();
      const decoded = Buffer.from(text, 'base64url').toString();
      const forged = decoded.replace(/@\d+:\d+:[\d,]*/, `@${snapshot}`);
      expect(forged).toContain(snapshot);
      const parsing = changeLog.parse(Buffer.from(forged).toString('base64url'));
      await expect(parsing).rejects.toMatchObject({ code: 'invalid_query' });
    },
  );
});

// Accident: a database comes back at an earlier moment, in which no change is missing; the numbers of its next transactions are those
// that a list has seen end, so a watch from that list passes over the first changes.
it('a cursor of a read of transactions that the database does not know is expired', async () => {
  const { changeLog, ticks } = fixture.store;
  const read = await readCursor();
  const decoded = Buffer.from(read.text, 'base64url').toString();
  const [, tick = '', xmax = ''] = /(\d+)@\d+:(\d+):/.exec(decoded) ?? [];
  const lost = decoded.replace(/\d+@\d+:\d+:[\d,]*/, `${tick}@${xmax}:${BigInt(xmax) + 1_000n}:`);
  const text = Buffer.from(lost).toString('base64url');
  await expect(changeLog.parse(text)).rejects.toMatchObject({ code: 'cursor_expired' });
  await given(fixture.store);
  await ticks.tick();
  const after = { ...read, snapshot: `${tick}@${xmax}:${BigInt(xmax) + 1_000n}:`, text };
  await expect(changeLog.read(after, 10)).rejects.toMatchObject({ code: 'cursor_expired' });
  expect((await changeLog.read(await changeLog.parse(read.text), 10)).changes).toHaveLength(1);
});
