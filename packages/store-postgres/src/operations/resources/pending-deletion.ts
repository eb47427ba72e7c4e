import type { Resource } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { boundedPage, lightPage, wholePage } from './bounded-page.ts';
import { columnsOf, storedColumnsOf, toResource } from './row.ts';

/** Reads tombstones of every kind, oldest first, ties by uid. A page of large documents ends early. */
export async function pendingDeletion(sql: Sql, limit: number): Promise<readonly Resource[]> {
  const rows = await sql.rows(limit <= lightPage ? wholeText : boundedText, [limit]);
  return rows.map((row) => toResource(row));
}

const order = 'deletion_timestamp, uid';
const query = `
  select ${storedColumnsOf('r')} from resources r where deletion_timestamp is not null order by ${order} limit $1::bigint`;
const wholeText = `select ${columnsOf('item')} from (${wholePage(query)}) as item order by ${order}`;
const boundedText = `select ${columnsOf('item')} from (${boundedPage(query, order)}) as item order by ${order}`;
