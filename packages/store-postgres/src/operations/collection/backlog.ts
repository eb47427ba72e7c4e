import type { Backlog } from '@platform/collection';
import type { Sql } from '../../connection.ts';

/** Tombstones counted, at most. */
const bound = 100_000;

/** Counts what is left. */
export async function backlog(sql: Sql): Promise<Backlog> {
  const [row] = await sql.rows<readonly [number, number | null]>(text, [bound]);
  const [tombstones = 0, oldest = null] = row ?? [];
  return { tombstones, oldest };
}

const text = `
  select count(*), (extract(epoch from min(deletion_timestamp)) * 1000)::bigint from (
    select deletion_timestamp from resources where deletion_timestamp is not null
    order by deletion_timestamp, uid limit $1::bigint
  ) as oldest`;
