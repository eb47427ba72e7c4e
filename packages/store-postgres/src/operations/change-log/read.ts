import { type ChangePage, type Cursor, cursorExpired, cursorInvalid } from '@platform/change-log';
import type { Sql } from '@platform/postgres';
import { boundedPage } from '../resources/bounded-page.ts';
import { loggedColumnsOf, storedColumnsOf } from '../resources/row.ts';
import {
  cursorOf,
  endOfTick,
  hasShownCascade,
  isAheadOf,
  parseCursor,
  type StoredCursor,
  snapshotBeyond,
} from './cursor.ts';
import { entryColumns, scopeColumn, toPlacedEntry } from './entry.ts';

/** Ticks that one statement looks at: most have a handful of entries. */
const ticksAtOnce = 40;

/** Reads entries after a cursor, in the order of the ticks, and of `seq` within a tick: fewer when their documents are large. */
export async function readChanges(sql: Sql, after: Cursor, limit: number): Promise<ChangePage> {
  const from = parseCursor(after.text);
  const snapshot = snapshotBeyond(after);
  const rows = await sql.rows(entriesText, [after.tick, after.seq, snapshot, ticksAtOnce, limit]);
  const [own, lastTick, lastMark, ticks] = JSON.parse((rows[0]?.[0] ?? 'null') as string) ?? [];
  checkPlace(from, own, after.seq);
  const found = rows.filter(([, , tick]) => tick !== null);
  const entries = found.map((row) => toPlacedEntry(row, from.store, 2));
  const changes = entries.filter((entry) => !hasShownCascade(after, entry));
  const last = entries.at(-1);
  const isFollowed = found.length === limit || found.at(-1)?.[1] === true;
  if (isFollowed && last !== undefined) {
    return { changes, end: cursorOf(parseCursor(last.cursor.text), last, after.snapshot), more: true };
  }
  const end = { tick: lastTick, seq: endOfTick };
  const cursor = cursorOf({ store: from.store, mark: lastMark }, end, after.snapshot);
  return { changes, end: cursor, more: ticks > ticksAtOnce };
}

/** The tick of a cursor: its number, its mark, whether the one before is there, the store, and the next transaction number. */
type OwnTick = readonly [tick: number, mark: number, hasPrevious: boolean, store: string, nextXid: string];

/** @throws Problem when the tick of the cursor is not, or no longer, one of this database. */
export function checkPlace(cursor: StoredCursor, own: OwnTick | null | undefined, seq: number): void {
  if (own && own[3] !== cursor.store) throw cursorInvalid();
  if (!own || own[0] !== cursor.tick || own[1] !== cursor.mark) throw cursorExpired();
  // The rest of a tick is found by the snapshot of the one before.
  if (seq !== endOfTick && !own[2]) throw cursorExpired();
  // A read of transactions that a failover or a restore has lost: their numbers are given again, to changes that it has not shown.
  if (isAheadOf(cursor, own[4])) throw cursorExpired();
}

/** SQL for {@link OwnTick} as JSON; `t` is its row. */
const ownTick = `json_build_array(t.tick, t.mark, exists (select from change_ticks p where p.tick = t.tick - 1),
    (select left(l.store::text, 8) from change_log l where l.singleton), pg_snapshot_xmax(pg_current_snapshot())::text)`;

/** The first tick that is there from the given one on. */
const ownTickText = `select ${ownTick}::text from change_ticks t where t.tick >= $1::bigint order by t.tick limit 1`;

/** Reads {@link OwnTick}. */
export async function readOwnTick(sql: Sql, tick: number): Promise<OwnTick | null> {
  const [row] = await sql.rows<readonly [string]>(ownTickText, [tick]);
  return row === undefined ? null : JSON.parse(row[0]);
}

/** SQL for the keys of the entries of the tick `t`: committed between the snapshot before and its own. */
const keysOfTick = `
  select c.time, c.seq, c.xid from changes c
  where c.xid >= pg_snapshot_xmax(before.snapshot) and c.xid < pg_snapshot_xmax(t.snapshot)
  union all
  select c.time, c.seq, c.xid from changes c where c.xid = any(array(select pg_snapshot_xip(before.snapshot)))`;

/** SQL for whether the entry `key` belongs to the tick `t`. Entries up to the floor are of another cluster, whose transactions had other numbers. */
const ofTick = `pg_visible_in_snapshot(key.xid, t.snapshot) and not pg_visible_in_snapshot(key.xid, before.snapshot) and key.seq > t.floor`;

/** SQL for the entries of the ticks `ticks` after the place ($1, $2) and not in the snapshot $3, in order; $5 at most. */
const nextEntries = `
  select t.tick, t.mark, c.*
  from ticks t
  join change_ticks as before on before.tick = t.tick - 1
  cross join lateral (
    select key.time, key.seq from (${keysOfTick}) as key
    where ${ofTick} and (t.tick > $1::bigint or key.seq > $2::bigint)
      and ($3::pg_snapshot is null or not pg_visible_in_snapshot(key.xid, $3::pg_snapshot))
    order by key.seq limit $5::bigint
  ) as key
  join changes c on c.time = key.time and c.seq = key.seq
  order by t.tick, c.seq limit $5::bigint`;

/** One statement, so that the ticks and their entries are of one snapshot: no entry of the last tick is left for a later read. */
const entriesText = `
  with ticks as materialized (
    select tick, mark, snapshot, floor from change_ticks where tick >= $1::bigint order by tick limit $4::bigint + 1
  ),
  place as materialized (
    select json_build_array(
      (select ${ownTick} from ticks t order by t.tick limit 1), max(tick), (array_agg(mark order by tick desc))[1], count(*)
    )::text as place from ticks
  )
  select place.place, entry.followed, entry.tick, entry.mark, ${entryColumns('entry')}, ${loggedColumnsOf('previous')}, ${scopeColumn('previous')}
  from place
  left join (${boundedPage(nextEntries, 'tick, seq')}) as entry on true
  left join lateral (
    select ${storedColumnsOf('p')}, p.scope_uids from changes p
    where p.uid = entry.uid and p.revision = case when entry.removed then entry.revision else entry.revision - 1 end and not p.removed
    limit 1
  ) as previous on true
  order by entry.tick, entry.seq`;
