import type { Resource } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { columnsOf, toResource } from './row.ts';

/** Reads tombstones of every kind, oldest first, ties by uid. */
export async function pendingDeletion(sql: Sql, limit: number): Promise<readonly Resource[]> {
  const rows = await sql.rows(
    `select ${columnsOf('r')} from resources r where deletion_timestamp is not null
     order by deletion_timestamp, uid limit $1::bigint`,
    [limit],
  );
  return rows.map((row) => toResource(row));
}
