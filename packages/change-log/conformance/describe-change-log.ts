import { type Resource, systemChange } from '@platform/resources';
import { byUid, deleteRow, given, type StoreUnderTest } from '@platform/resources/conformance';
import type { ChangeEntry } from '../src/model/change-entry.ts';
import { type Cursor, comparePlaces } from '../src/model/cursor.ts';
import type { ChangeLog } from '../src/ports/change-log.ts';
import { faultsOf, type Told, toldOf } from './faults.ts';

/** A change log under test, with the store whose writes it has. */
export interface LogUnderTest {
  readonly log: ChangeLog;
  readonly store: StoreUnderTest;
  /** Makes what was committed readable, as the ticker does. */
  settle(): Promise<void>;
}

/** Tests whether a change log keeps the promises of its port. `open` is called once; the log may have entries by then. */
export function describeChangeLog(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`${name} keeps the promises of ChangeLog`, () => {
    let under: LogUnderTest;
    beforeAll(async () => {
      under = await open();
    });

    const change = async (row: Resource, value: string): Promise<Told> => {
      const context = { change: systemChange('test', 'status'), definition: null };
      const written = await under.store.writer.replaceStatus({
        ...context,
        ref: byUid(row),
        slot: 's',
        value,
      });
      if (written.outcome !== 'written') throw new Error(`the write was ${written.outcome}`);
      return { uid: row.uid, revision: written.resource.revision, removed: false };
    };
    /** Three rows, one of which is changed twice and one of which is removed. */
    const writeSome = async (): Promise<{ readonly rows: readonly Resource[]; readonly told: Told[] }> => {
      const rows = [await given(under.store), await given(under.store), await given(under.store)];
      const [a, b, c] = rows as [Resource, Resource, Resource];
      const told: Told[] = rows.map(({ uid, revision }) => ({ uid, revision, removed: false }));
      told.push(await change(a, '1'), await change(b, '1'), await change(a, '2'));
      await deleteRow(under.store, c);
      told.push({ uid: c.uid, revision: c.revision, removed: true });
      await under.settle();
      return { rows, told };
    };
    /** Everything after a cursor, in pages, each resumed from a text. */
    const readAll = async (from: Cursor, limit: number): Promise<readonly ChangeEntry[]> => {
      const entries: ChangeEntry[] = [];
      for (let cursor = from; ; ) {
        const page = await under.log.read(cursor, limit);
        expect(page.changes.length).toBeLessThanOrEqual(limit);
        entries.push(...page.changes);
        if (page.changes.length === 0 && !page.more) return entries;
        cursor = await under.log.parse(page.end.text);
      }
    };

    it('has every committed write once and in order, whatever the size of the pages', async () => {
      const head = await under.log.head();
      const { told } = await writeSome();
      for (const limit of [1, 2, 3, 100]) {
        const entries = await readAll(head, limit);
        expect(faultsOf(toldOf(entries), told)).toEqual([]);
        expect(toldOf(entries)).toEqual(told);
      }
    });

    it('has nothing after its head', async () => {
      await writeSome();
      expect(await under.log.read(await under.log.head(), 10)).toMatchObject({ changes: [], more: false });
    });

    it('goes on after any entry', async () => {
      const head = await under.log.head();
      const { told } = await writeSome();
      const entries = await readAll(head, 100);
      for (const [index, entry] of entries.entries()) {
        const after = await under.log.parse(under.log.advance(head, entry).text);
        expect(toldOf(await readAll(after, 2))).toEqual(told.slice(index + 1));
        for (const [other, candidate] of entries.entries()) {
          expect(under.log.includes(after, candidate)).toBe(other <= index);
        }
      }
    });

    it('has the state before each change, and places that grow', async () => {
      const head = await under.log.head();
      await writeSome();
      const entries = await readAll(head, 100);
      const last = new Map<string, Resource>();
      for (const [index, entry] of entries.entries()) {
        expect(entry.previous).toEqual(last.get(entry.resource.uid) ?? null);
        last.set(entry.resource.uid, entry.resource);
        const before = entries[index - 1];
        if (before !== undefined) expect(comparePlaces(before, entry)).toBeLessThan(0);
      }
    });

    it('refuses a text that is no cursor', async () => {
      for (const text of ['', 'x', '!', 'a'.repeat(70_000)]) {
        await expect(under.log.parse(text)).rejects.toMatchObject({ code: 'invalid_query' });
      }
    });

    it('finds what was removed by its path, and changes by uid, only after the cursor', async () => {
      const head = await under.log.head();
      const { rows } = await writeSome();
      const [a, , c] = rows as [Resource, Resource, Resource];
      const path = (row: Resource) => [{ group: 'example.dev', kind: row.kind, name: row.name }];
      const end = await under.log.head();
      expect(await under.log.firstRemoved(head, path(c))).toBe(c.uid);
      expect(await under.log.firstRemoved(head, path(a))).toBeNull();
      expect(await under.log.firstRemoved(end, path(c))).toBeNull();
      expect([await under.log.hasChanges(head, a.uid), await under.log.hasChanges(end, a.uid)]).toEqual([
        true,
        false,
      ]);
    });
  });
}
