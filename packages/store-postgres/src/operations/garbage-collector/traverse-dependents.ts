import type { DependentEdge } from '@platform/garbage-collector';
import { arrayLiteral, type Sql } from '@platform/postgres';
import { isChildOf, isOwnedBy } from '../resources/dependents.ts';

/**
 * Follows both kinds of edges over live rows, level by level, until `limit` edges are found.
 *
 *     seed (tombstoned)
 *     ├── child                live: found and followed
 *     │   └── grandchild       live: found
 *     ├── child                tombstoned: skipped; the scan finds it
 *     ├── child                protected: skipped; the cascade waits for it
 *     └── (owned) dependent    live: found
 */
export async function traverseDependents(
  sql: Sql,
  uids: readonly string[],
  limit: number,
): Promise<readonly DependentEdge[]> {
  const parameters = [arrayLiteral(uids), limit];
  // Usually every dependent is tombstoned already. This query finds that out at a lower cost than the recursive one.
  const firstLevel = await sql.rows<Row>(firstLevelText, parameters);
  const rows =
    firstLevel.length === 0 || firstLevel.length === limit
      ? firstLevel
      : await sql.rows<Row>(text, parameters);
  return rows.map(([uid, from]) => ({ uid, from }));
}

type Row = readonly [uid: string, from: string];

// union all: removing duplicates would read every dependent of a wide owner before returning the first.
const liveDependents = (owner: string) => `
  select c.uid from resources c where ${isChildOf(owner, 'c')} and c.deletion_timestamp is null and not c.deletion_protected
  union all
  select o.uid from resources o where ${isOwnedBy(owner, 'o')} and o.deletion_timestamp is null and not o.deletion_protected`;

const firstLevelText = `
  select dependent.uid, seed.uid from unnest($1::uuid[]) as seed (uid)
  cross join lateral (${liveDependents('seed.uid')}) as dependent limit $2::bigint`;

const text = `
  with recursive edges (uid, via) as (
    select dependent.uid, seed.uid from unnest($1::uuid[]) as seed (uid)
    cross join lateral (${liveDependents('seed.uid')}) as dependent
    union
    select dependent.uid, edges.uid from edges
    cross join lateral (${liveDependents('edges.uid')}) as dependent
  )
  select uid, via from edges limit $2::bigint`;
