import { arrayLiteral, type Database } from '@platform/postgres';
import { plannedRows } from './planned.ts';

/**
 * Follows parents and owners upwards over tombstones.
 *
 *     root      tombstoned: found, nearest first
 *     └── a     tombstoned: found
 *         └── given
 */
export async function findDeletedAncestors(
  database: Database,
  uids: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await plannedRows<readonly [string]>(database, {
    text,
    parameters: [arrayLiteral(uids), limit],
  });
  return rows.map(([uid]) => uid);
}

// Offset 0 keeps the condition on tombstones out of the look-up by key; otherwise the planner may choose the index over tombstones.
const text = `
  with recursive found (uid) as (
    select uid from unnest($1::uuid[]) as given (uid)
    union
    select owner.uid from found
    cross join lateral (select parent_uid, owner_references from resources where uid = found.uid) as r
    cross join lateral unnest(array_append(owner_uids(r.owner_references), r.parent_uid)) as above (uid)
    cross join lateral (
      select uid, deletion_timestamp from resources where uid = above.uid offset 0
    ) as owner
    where owner.deletion_timestamp is not null
  )
  select uid from found limit $2::bigint`;
