import type { Database } from '@platform/postgres';
import { limitMaintenanceLockWait } from '../../maintenance.ts';
import { hasChangeRecords, keepChangeRecords } from '../audit/change-records.ts';
import { createTicks } from './ticks.ts';

/**
 * Deletes expired ticks, moves what audit needs of expired entries to the audit records, creates the partitions of the days to come, and
 * drops those that are older than the retention: at most `limit` rows, whose number is returned. Call it again when it is the limit.
 *
 * A cursor is refused once its tick is gone, so ticks go first: a reader would otherwise pass over entries that were dropped. The latest
 * expired tick stays, because readers got its cursor until the next tick came, which may have been a moment ago. Partitions are kept a day
 * longer, because an entry is older than the tick that shows it.
 */
export async function expireChanges(
  database: Database,
  { retentionDays, auditDays }: { readonly retentionDays: number; readonly auditDays: number },
  limit: number,
): Promise<number> {
  // So that an entry which expired while no ticker ran comes after the tick that goes for it.
  await createTicks(database).tick();
  const [row] = await database.rows<readonly [number]>(ticksText, [retentionDays, limit]);
  const ticks = row?.[0] ?? 0;
  if (ticks === limit) return ticks;
  const olderThanDays = retentionDays + 1;
  for (let deleted = 1; (await database.rows(staleTickText, [olderThanDays])).length > 0; deleted += 1)
    if (deleted === limit) return deleted;
  const moved = await keepChangeRecords(database, { olderThanDays, auditDays, limit });
  if (moved === limit) return moved;
  await database.transaction(async (sql) => {
    // Another collector may be moving entries, or a day may have ended since. All statements of the transaction have one time.
    const isMoved = !(await hasChangeRecords(sql, olderThanDays));
    await limitMaintenanceLockWait(sql);
    await sql.rows(prepareText);
    if (isMoved) await sql.rows(dropText, [olderThanDays]);
  });
  return ticks;
}

const prepareText = 'select prepare_change_partitions()::text';
const dropText = `select drop_change_partitions(now() - $1::int * interval '1 day')`;

/**
 * Ticks are deleted from the oldest on, up to the latest one that has expired: a reader finds the entries of a tick by the one before, so a
 * gap would hide them. After the clock was set back, a tick may be later than those that follow it.
 */
const ticksText = `
  with expired as (
    delete from change_ticks where tick = any(array(
      select tick from change_ticks
      where tick < (
        select tick from change_ticks where time < now() - $1::int * interval '1 day' order by time desc, tick desc limit 1)
      order by tick limit $2::bigint))
    returning 0
  )
  select count(*) from expired`;

/** The end of the entries that are about to be dropped, also if that is after midnight. */
const dropEnd = `date_trunc('day', (now() + interval '1 hour' - $1::int * interval '1 day') at time zone 'UTC') at time zone 'UTC'`;

/**
 * Deletes the oldest tick when it does not show an entry that is about to be dropped: no ticker ran for longer than a day. In the order of the
 * index, as in ticks.ts.
 */
const staleTickText = `
  with oldest as materialized (select tick, snapshot, floor from change_ticks order by tick limit 1)
  delete from change_ticks t using oldest
  where t.tick = oldest.tick and t.tick < (select tick from change_log where singleton) and coalesce((
      select true from changes c
      where c.xid >= pg_snapshot_xmax(oldest.snapshot) and c.time < ${dropEnd} and c.seq > oldest.floor
      order by c.xid limit 1), (
      select true from changes c
      where c.xid = any(array(select pg_snapshot_xip(oldest.snapshot))) and c.time < ${dropEnd} and c.seq > oldest.floor
      order by c.xid limit 1), false)
  returning t.tick`;
