import type { Reached } from '@platform/collection';
import type { Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { isChildOf, isOwnedBy } from '../resources/dependents.ts';

/**
 * Follows both kinds of edges over live rows, level by level, until `limit` edges are found.
 *
 *     seed (tombstoned)
 *     ├── child                live: found, and gone on from
 *     │   └── grandchild       live: found
 *     ├── child                tombstoned: not found; the scan sees it
 *     └── (owned) dependent    live: found
 */
export async function reach(sql: Sql, uids: readonly string[], limit: number): Promise<readonly Reached[]> {
  const rows = await sql.rows<readonly [string, string]>(text, [arrayLiteral(uids), limit]);
  return rows.map(([uid, from]) => ({ uid, from }));
}

// A union of all: removing duplicates here would read every dependent of a wide owner before the first one is returned.
const liveDependents = (owner: string) => `
  select c.uid from resources c where ${isChildOf(owner, 'c')} and c.deletion_timestamp is null
  union all
  select o.uid from resources o where ${isOwnedBy(owner, 'o')} and o.deletion_timestamp is null`;

const text = `
  with recursive reached (uid, via) as (
    select dependent.uid, seed.uid from unnest($1::uuid[]) as seed (uid)
    cross join lateral (${liveDependents('seed.uid')}) as dependent
    union
    select dependent.uid, reached.uid from reached
    cross join lateral (${liveDependents('reached.uid')}) as dependent
  )
  select uid, via from reached limit $2::bigint`;
