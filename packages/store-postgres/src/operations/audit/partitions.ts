import type { Database } from '@platform/postgres';
import { limitMaintenanceLockWait } from '../../maintenance.ts';

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
    await limitMaintenanceLockWait(sql);
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
