import type { Sql } from '@platform/postgres';
import { type DeletionPosition, nilUid, type Resource } from '@platform/resources';
import { boundedPage } from './bounded-page.ts';
import { unmarkedDependents } from './dependents.ts';
import { columnsOf, maybeResource, storedColumnsOf } from './row.ts';

/** Reads a page of tombstones of every kind, oldest first, ties by uid. A page of large documents ends early. */
export async function pendingDeletion(
  sql: Sql,
  { limit, after }: { readonly limit: number; readonly after: DeletionPosition | null },
): Promise<{ readonly items: readonly Resource[]; readonly more: boolean }> {
  const rows = await sql.rows(text, [limit + 1, after?.time ?? '-infinity', after?.uid ?? nilUid]);
  const items = rows.flatMap((row) => maybeResource(row, 1) ?? []).slice(0, limit);
  return { items, more: rows[items.length - 1]?.[0] === true };
}

// While a cascade is pending, its dependents are read for each request.
const derived = `
  select distinct on (d.uid) d.uid, p.time from pending_cascades p
  cross join lateral (${unmarkedDependents('p.owner_uid')}) as d order by d.uid, p.seq`;

const query = `
  select oldest.since, ${storedColumnsOf('r')} from (
    (select uid, deletion_timestamp as since from resources
      where deletion_timestamp is not null and (deletion_timestamp, uid) > ($2::timestamptz, $3::uuid)
      order by deletion_timestamp, uid limit $1::bigint)
    union all
    (select uid, time from (${derived}) as d where (time, uid) > ($2::timestamptz, $3::uuid) order by time, uid limit $1::bigint)
    order by since, uid limit $1::bigint
  ) as oldest
  -- Offset 0: as in get-many.ts.
  cross join lateral (select * from resources where uid = oldest.uid offset 0) as r`;
const order = 'since, uid';
const text = `select item.followed, ${columnsOf('item')} from (${boundedPage(query, order)}) as item order by ${order}`;
