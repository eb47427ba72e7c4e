import type { Database } from '@platform/postgres';

/** Writes of audit records wait behind a lock of the partitions, so maintenance waits for it only this long; the next run tries again. */
const lockWaitMs = 200;

/**
 * Makes the partitions of the coming months, drops those that ended before the instant, and deletes older records that are in no month: at
 * most `limit` of them. Returns how many partitions and records are gone. Call it again when it is the limit.
 */
export async function keepAuditPartitions(
  database: Database,
  before: string,
  limit: number,
): Promise<number> {
  const deleted = (await database.rows(deleteText, [before, limit])).length;
  if (deleted === limit) return deleted;
  const dropped = await database.transaction(async (sql) => {
    await sql.rows(`select set_config('lock_timeout', '${lockWaitMs}ms', true)`);
    await sql.rows('select prepare_audit_partitions()');
    const [row] = await sql.rows<readonly [number]>('select drop_audit_partitions($1::timestamptz)', [
      before,
    ]);
    return row?.[0] ?? 0;
  });
  return deleted + dropped;
}

const deleteText = `
  delete from audit_records_other where ctid = any (array(
    select ctid from audit_records_other where time < $1::timestamptz order by time limit $2::bigint for update skip locked))
  returning id`;
