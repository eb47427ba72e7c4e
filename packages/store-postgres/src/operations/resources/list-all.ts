import type { Sql } from '@platform/postgres';
import { nilUid, type Page } from '@platform/resources';
import { cursorColumn, cursorOfRead } from '../change-log/cursor.ts';
import { boundedPage } from './bounded-page.ts';
import { columnsOf, maybeResource, storedColumnsOf } from './row.ts';

/** Reads rows of every kind by uid. A page of large documents ends early. */
export async function listAll(sql: Sql, after: string | null, limit: number): Promise<Page> {
  const rows = await sql.rows(text, [after ?? nilUid, limit + 1]);
  const [read, ...found] = [rows[0]?.[0] as string, ...rows];
  const items = found.flatMap((row) => maybeResource(row, 2) ?? []).slice(0, limit);
  const isFollowed = found[items.length - 1]?.[1] === true;
  return { outcome: 'page', items, more: isFollowed, cursor: cursorOfRead(read).text };
}

const query = `
  select ${storedColumnsOf('r')} from resources r where uid > $1::uuid order by uid limit $2::bigint`;

// One row at least, for the cursor.
const text = `
  select ${cursorColumn}, item.followed, ${columnsOf('item')}
  from (select 0) as one left join (${boundedPage(query, 'uid')}) as item on true order by item.uid`;
