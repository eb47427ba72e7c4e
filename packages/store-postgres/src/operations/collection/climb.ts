import type { Database } from '../../database.ts';
import { arrayLiteral } from '../../literals.ts';
import { plannedRows } from './planned.ts';

/**
 * Follows both kinds of edges upwards over tombstones.
 *
 *     root      tombstoned: found, nearest first
 *     └── a     tombstoned: found
 *         └── given
 */
export async function climb(
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

// Offset 0 keeps the condition on tombstones away from the look-up by key, which would take the index over tombstones for it.
const text = `
  with recursive climbed (uid) as (
    select uid from unnest($1::uuid[]) as given (uid)
    union
    select owner.uid from climbed
    cross join lateral (select parent_uid, owner_references from resources where uid = climbed.uid) as r
    cross join lateral unnest(array_append(owner_uids(r.owner_references), r.parent_uid)) as above (uid)
    cross join lateral (
      select uid, deletion_timestamp from resources where uid = above.uid offset 0
    ) as owner
    where owner.deletion_timestamp is not null
  )
  select uid from climbed limit $2::bigint`;
