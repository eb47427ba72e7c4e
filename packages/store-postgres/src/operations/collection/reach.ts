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
  const parameters = [arrayLiteral(uids), limit];
  // Most often a cascade has stamped all there is, and nothing is found: looking for that is cheaper than the recursive statement.
  const next = await sql.rows<Row>(nextText, parameters);
  const rows = next.length === 0 || next.length === limit ? next : await sql.rows<Row>(text, parameters);
  return rows.map(([uid, from]) => ({ uid, from }));
}

type Row = readonly [uid: string, from: string];

// A union of all: removing duplicates here would read every dependent of a wide owner before the first one is returned.
const liveDependents = (owner: string) => `
  select c.uid from resources c where ${isChildOf(owner, 'c')} and c.deletion_timestamp is null
  union all
  select o.uid from resources o where ${isOwnedBy(owner, 'o')} and o.deletion_timestamp is null`;

const nextText = `
  select dependent.uid, seed.uid from unnest($1::uuid[]) as seed (uid)
  cross join lateral (${liveDependents('seed.uid')}) as dependent limit $2::bigint`;

const text = `
  with recursive reached (uid, via) as (
    select dependent.uid, seed.uid from unnest($1::uuid[]) as seed (uid)
    cross join lateral (${liveDependents('seed.uid')}) as dependent
    union
    select dependent.uid, reached.uid from reached
    cross join lateral (${liveDependents('reached.uid')}) as dependent
  )
  select uid, via from reached limit $2::bigint`;
