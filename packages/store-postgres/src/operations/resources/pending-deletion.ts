import type { Sql } from '@platform/postgres';
import type { Resource } from '@platform/resources';
import { boundedPage } from './bounded-page.ts';
import { columnsOf, storedColumnsOf, toResource } from './row.ts';

/** Reads tombstones of every kind, oldest first, ties by uid. A page of large documents ends early. */
export async function pendingDeletion(sql: Sql, limit: number): Promise<readonly Resource[]> {
  const rows = await sql.rows(text, [limit]);
  return rows.map((row) => toResource(row));
}

const order = 'deletion_timestamp, uid';
const query = `
  select ${storedColumnsOf('r')} from resources r where deletion_timestamp is not null order by ${order} limit $1::bigint`;
const text = `select ${columnsOf('item')} from (${boundedPage(query, order)}) as item order by ${order}`;
