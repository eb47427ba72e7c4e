import { type ChangeLog, cursorExpired } from '@platform/change-log';
import { arrayLiteral, type Database, type DatabaseOptions } from '@platform/postgres';
import { listen } from '../../listener.ts';
import {
  cascadesBeyond,
  cursorColumn,
  cursorOf,
  cursorOfRead,
  endOfTick,
  endsCascades,
  includes,
  parseCursor,
  type StoredCursor,
  snapshotBeyond,
  withLastTick,
} from './cursor.ts';
import { checkPlace, readChanges, readOwnTick } from './read.ts';
import { changeChannel } from './ticks.ts';

export { createHistory } from './history.ts';
export { createRemoved } from './removed.ts';
export { createTickerLease, createTicks } from './ticks.ts';

/** The change log on PostgreSQL. */
export function createChangeLog(database: Database, options: DatabaseOptions): ChangeLog {
  return {
    async head() {
      const [row] = await database.rows<readonly [string]>(`select ${cursorColumn}`);
      const { store, mark, tick } = cursorOfRead(row?.[0] ?? '');
      return cursorOf({ store, mark }, { tick, seq: endOfTick }, null);
    },
    async parse(text) {
      const cursor = parseCursor(text);
      checkPlace(cursor, await readOwnTick(database, cursor.tick), cursor.seq);
      return await withoutFinished(database, cursor);
    },
    read: (after, limit) => readChanges(database, after, limit),
    includes,
    advance(from, to) {
      return cursorOf(parseCursor(to.cursor.text), to, from.snapshot);
    },
    async firstRemoved(after, path) {
      const item = path.at(-1);
      if (item === undefined) return null;
      const [row] = await database.rows<readonly [string]>(firstRemovedText, [
        ...[after.tick, after.seq, snapshotBeyond(after), item.name, item.kind, item.group],
        JSON.stringify(path.slice(0, -1).map(({ name }) => name)),
      ]);
      return row?.[0] ?? null;
    },
    async hasChanges(after, uid) {
      const parameters = [after.tick, after.seq, snapshotBeyond(after), uid];
      const [row] = await database.rows<readonly [boolean | null]>(hasChangesText, parameters);
      if (row === undefined) throw cursorExpired();
      return row[0] === true;
    },
    listen: async (wake) =>
      listen(options, { name: changeChannel, purpose: 'changes', notified: wake, begun: wake }),
  };
}

/** The cursor, which forgets the cascades that it has shown soon after they are marked as deleted. */
async function withoutFinished(database: Database, cursor: StoredCursor): Promise<StoredCursor> {
  const cascades = cascadesBeyond(cursor);
  if (cursor.snapshot === null || cascades.length === 0 || endsCascades(cursor)) return cursor;
  const [row] = await database.rows<readonly [number, boolean]>(pendingText, [arrayLiteral(cascades)]);
  const [tick, isPending] = row ?? [0, true];
  return isPending ? cursor : cursorOf(cursor, cursor, withLastTick(cursor.snapshot, tick));
}

const pendingText = `
  select l.tick, exists (select from pending_cascades where owner_uid = any($1::uuid[])) from change_log l where l.singleton`;

/** Whether the entry `c` comes after the place ($1, $2) and is not in the snapshot $3; `t` is the tick of the place. */
const isAfter = `(
  not pg_visible_in_snapshot(c.xid, t.snapshot)
  or c.seq > $2::bigint and not exists (
    select from change_ticks before where before.tick = t.tick - 1 and pg_visible_in_snapshot(c.xid, before.snapshot)))
  and c.seq > t.floor and ($3::pg_snapshot is null or not pg_visible_in_snapshot(c.xid, $3::pg_snapshot))`;

const firstRemovedText = `
  select c.uid from change_ticks t join changes c on ${isAfter}
  where t.tick = $1::bigint and c.removed and c.name = $4::text and c.kind = $5::text and split_part(c.api_version, '/', 1) = $6::text
    and c.ancestors = array(select json_array_elements_text($7::json))
  order by c.seq limit 1`;

const hasChangesText = `
  select exists (select from changes c where c.uid = $4::uuid and ${isAfter}) from change_ticks t where t.tick = $1::bigint`;
