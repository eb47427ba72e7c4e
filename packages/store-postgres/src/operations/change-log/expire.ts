import type { Database } from '@platform/postgres';
import { keepChangeRecords } from '../audit/change-records.ts';

/** A maintenance step never makes writers wait longer for its lock than this; it is tried again by the next run. */
const lockWaitMs = 200;

/**
 * Moves what audit needs of expired entries to the audit records, creates the partitions of the days to come, and drops those that are older than the retention with their ticks: at most `limit` ticks,
 * whose number is returned. Partitions are kept a day longer than ticks, because an entry is older than the tick that shows it.
 */
export async function expireChanges(
  database: Database,
  { retentionDays, auditDays }: { readonly retentionDays: number; readonly auditDays: number },
  limit: number,
): Promise<number> {
  const olderThanDays = retentionDays + 1;
  const moved = await keepChangeRecords(database, { olderThanDays, auditDays, limit });
  if (moved === limit) return moved;
  await database.transaction(async (sql) => {
    await sql.rows(lockTimeoutText);
    await sql.rows(partitionsText, [olderThanDays]);
  });
  const [row] = await database.rows<readonly [number]>(ticksText, [retentionDays, limit]);
  return row?.[0] ?? 0;
}

const lockTimeoutText = `select set_config('lock_timeout', '${lockWaitMs}ms', true)`;

const partitionsText = `
  select prepare_change_partitions()::text, drop_change_partitions(now() - $1::int * interval '1 day')`;

/** The newest tick stays: the next one begins where it ends. */
const ticksText = `
  with expired as (
    delete from change_ticks where tick = any(array(
      select tick from change_ticks
      where time < now() - $1::int * interval '1 day' and tick < (select tick from change_log where singleton) - 1
      order by time limit $2::bigint))
    returning 0
  )
  select count(*) from expired`;
