import { setTimeout } from 'node:timers/promises';
import type { Cursor } from '@platform/change-log';
import { faultsOf, type Told, toldOf } from '@platform/change-log/conformance';
import { races } from '../../../test/racing-writes.ts';
import { given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';

/** Logs that are simpler than this one, and lose or disorder entries. The checker of the proofs has to find each of them out. */
const fixture = testStore();
const { database } = fixture;

/** A reader of the log: each call tells what is new. */
type Reader = () => Promise<readonly Told[]>;

const columns = 'seq::int, xid::text, uid, revision::int, removed';
const told = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ uid, revision, removed }) => ({ uid, revision, removed }) as Told);

const readers = {
  /** This log. */
  async ticks(): Promise<Reader> {
    const { changeLog, ticks } = fixture.store;
    let cursor: Cursor = await changeLog.head();
    return async () => {
      await ticks.tick();
      const page = await changeLog.read(cursor, 100);
      cursor = page.end;
      return toldOf(page.changes);
    };
  },
  /** Takes everything above its last number. */
  async aboveTheLastNumber(): Promise<Reader> {
    let [{ last }] = await database.sql<
      [{ last: number }]
    >`select coalesce(max(seq), 0)::int as last from changes`;
    return async () => {
      const rows = await database.sql.unsafe(
        `select ${columns} from changes where seq > ${last} order by changes.seq`,
      );
      last = rows.at(-1)?.['seq'] ?? last;
      return told(rows);
    };
  },
  /** Takes what every running transaction is past, in the order of the transactions. */
  async byTransaction(): Promise<Reader> {
    let [{ last }] = await database.sql<[{ last: string }]>`select pg_current_xact_id()::text as last`;
    return async () => {
      const rows = await database.sql.unsafe(
        `select ${columns} from changes where changes.xid > '${last}' and changes.xid < pg_snapshot_xmin(pg_current_snapshot())
         order by changes.xid, changes.seq`,
      );
      last = rows.at(-1)?.['xid'] ?? last;
      return told(rows);
    };
  },
};

/** Draws the numbers of the entries when a statement begins, before it has the lock of any row. */
async function drawNumbersEarly(): Promise<() => Promise<void>> {
  const [row] = await database.sql`select pg_get_functiondef('log_changed'::regproc) as text`;
  const original = row?.['text'] as string;
  const drawn = `(current_setting('test.drawn')::bigint + row_number() over ())`;
  const broken = original.replace("nextval('changes_seq')", drawn);
  expect(broken).not.toBe(original);
  await database.sql.unsafe(broken);
  await database.sql.unsafe(`
    create function draw_early() returns trigger language plpgsql as $$
    declare first bigint := nextval('changes_seq');
    begin
      perform nextval('changes_seq'), nextval('changes_seq');
      perform set_config('test.drawn', first::text, false);
      return null;
    end $$;
    create trigger draws_early before update on resources for each statement execute function draw_early()`);
  return async () => {
    await database.sql.unsafe(`drop trigger draws_early on resources; drop function draw_early; ${original}`);
  };
}

/** What is wrong with a reader after a race. */
async function faultsAfter(
  race: keyof typeof races,
  reader: keyof typeof readers,
): Promise<readonly string[]> {
  await database.sql`delete from resources`;
  for (const name of ['a', 'b']) await given(fixture.store, { name });
  await fixture.store.ticks.tick();
  const next = await readers[reader]();
  const [before] = await database.sql`select coalesce(max(seq), 0)::int as seq from changes`;
  const seen: Told[] = [];
  await races[race]?.(database, async () => void seen.push(...(await next())));
  const stored =
    await database.sql`select uid, revision::int, removed from changes where seq > ${before?.['seq']}`;
  expect(stored.length).toBeGreaterThan(1);
  // Transactions of other databases in the cluster hold this reader up for as long as they run.
  for (let tries = 0; reader === 'byTransaction' && seen.length < stored.length && tries < 300; tries += 1) {
    await setTimeout(100);
    seen.push(...(await next()));
  }
  return faultsOf(seen, told(stored)).map((fault) => fault.replace(/^\S+ /, ''));
}

describe('under writes that race', () => {
  it.each(Object.keys(races))('%s: this log tells every revision once and in order', async (race) => {
    expect(await faultsAfter(race, 'ticks')).toEqual([]);
  });

  it('a reader that takes everything above its last number loses what commits late', async () => {
    expect(await faultsAfter('a transaction that commits late', 'aboveTheLastNumber')).toEqual([
      'is missing',
    ]);
  });

  it('the order of the transactions is not that of the revisions', async () => {
    expect(await faultsAfter('a transaction that writes another row first', 'byTransaction')).toEqual([
      'came after a later one',
    ]);
  });

  it('numbers that are drawn before the lock of the row are not in the order of the revisions', async () => {
    const restore = await drawNumbersEarly();
    try {
      expect(await faultsAfter('a statement that waits for a lock', 'ticks')).toEqual([
        'came after a later one',
      ]);
    } finally {
      await restore();
    }
    expect(await faultsAfter('a statement that waits for a lock', 'ticks')).toEqual([]);
  });
});
