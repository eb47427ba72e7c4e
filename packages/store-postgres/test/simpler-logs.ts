import type { Cursor } from '@platform/change-log';
import { type Told, toldOf } from '@platform/change-log/conformance';
import type { TestStore } from './store.ts';

/** A reader of a log: each call tells what is new. */
export type Reader = () => Promise<readonly Told[]>;

const columns = 'seq::int, xid::text, uid, revision::int, removed';
/** The entries of rows with these columns. */
export const told = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ uid, revision, removed }) => ({ uid, revision, removed }) as Told);

/** Logs that are simpler than this one, and this one: each makes a reader that begins with the next entry. */
export const readers = {
  /** This log. */
  async ticks({ store }: TestStore): Promise<Reader> {
    const { changeLog, ticks } = store;
    let cursor: Cursor = await changeLog.head();
    return async () => {
      await ticks.tick();
      const page = await changeLog.read(cursor, 100);
      cursor = page.end;
      return toldOf(page.changes);
    };
  },
  /** Takes everything above its last number. */
  async aboveTheLastNumber({ database }: TestStore): Promise<Reader> {
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
  async byTransaction({ database }: TestStore): Promise<Reader> {
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
export async function drawNumbersEarly({ database }: TestStore): Promise<() => Promise<void>> {
  const [row] = await database.sql`select pg_get_functiondef('log_changed'::regproc) as text`;
  const original = row?.['text'] as string;
  const drawn = `(current_setting('test.drawn')::bigint + row_number() over ())`;
  const broken = original.replace("nextval('changes_seq')", drawn);
  if (broken === original) throw new Error('log_changed draws its numbers in another way now');
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
