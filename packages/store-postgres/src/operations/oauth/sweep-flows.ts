import type { Sql } from '@platform/postgres';
import { type FlowTable, instantOf } from './flow-table.ts';

/** Deletes up to `limit` expired entries, oldest first, and returns how many. Skips rows that another sweep has in hand. */
export async function sweepFlows(sql: Sql, table: FlowTable, now: number, limit: number): Promise<number> {
  const [row] = await sql.rows<readonly [number]>(
    `with swept as (
       delete from ${table} where hash = any (array(
         select hash from ${table} where expires_at <= $1::timestamptz
         order by expires_at limit $2::integer for update skip locked))
       returning 1)
     select count(*)::integer from swept`,
    [instantOf(now), limit],
  );
  return row?.[0] ?? 0;
}
