import { Contention } from '@platform/kernel';
import { arrayLiteral, parseArrayLiteral, type Sql } from '@platform/postgres';
import type { ResourceIdentity } from '@platform/resources';
import { isChildOf, isOwnedBy, isProtected } from './dependents.ts';

/** Rows that each direction may visit, round by round. The statement timeout bounds the last one. */
const everyRound: readonly number[] = [2_000, 32_000, 500_000, 8_000_000];

/**
 * Finds the protected rows that the deletion of a locked row would reach. Either side may be huge: the rows below it, or the protected rows
 * of the whole installation. So both directions are searched in turns, and the first that ends decides.
 *
 *     up:    protected rows ──> parents and owners ──> the row?
 *     down:  the row ──> children and owned rows ──> protected?
 */
export async function protectedFrom(
  sql: Sql,
  uid: string,
  limit: number,
  budgets = everyRound,
): Promise<readonly ResourceIdentity[]> {
  for (const budget of budgets) {
    for (const text of [upText, downText]) {
      const [row] = await sql.rows<readonly [number, string | null]>(text, [uid, budget, limit]);
      const [visited, found] = row ?? [0, null];
      if (visited < budget) return found === null ? [] : await identities(sql, parseArrayLiteral(found));
    }
  }
  throw new Contention('Too many resources and protected resources to look for the protected ones.');
}

async function identities(sql: Sql, uids: readonly string[]): Promise<readonly ResourceIdentity[]> {
  const rows = await sql.rows<readonly [string, string, string, string, string | null]>(identityText, [
    arrayLiteral(uids),
  ]);
  return rows.map(([apiVersion, kind, name, uid, parentUid]) => ({ apiVersion, kind, name, uid, parentUid }));
}

// The limits stop the recursion: a recursive query is evaluated row by row. Offset 0: as in get-many.ts.
const upText = `
  with recursive above (origin, uid) as (
    select p.uid, p.uid from resources p where ${isProtected('p')}
    union
    select above.origin, edge.uid from above
    cross join lateral (select parent_uid, owner_references from resources where uid = above.uid offset 0) as r
    cross join lateral unnest(array_append(owner_uids(r.owner_references), r.parent_uid)) as edge (uid)
    where above.uid <> $1::uuid and edge.uid is not null
  )
  select count(*), (array_agg(origin) filter (where uid = $1::uuid))[1:$3::int]::text
  from (select * from above limit $2::bigint) as visited`;

const downText = `
  with recursive below (uid, protected) as (
    select r.uid, ${isProtected('r')} from resources r where r.uid = $1::uuid
    union
    select dependent.uid, dependent.protected from below
    cross join lateral (
      select c.uid, ${isProtected('c')} as protected from resources c where ${isChildOf('below.uid', 'c')}
      union all
      select o.uid, ${isProtected('o')} from resources o where ${isOwnedBy('below.uid', 'o')}
    ) as dependent
  )
  select count(*), (array_agg(uid) filter (where protected))[1:$3::int]::text
  from (select * from below limit $2::bigint) as visited`;

const identityText = `
  select r.api_version, r.kind, r.name, r.uid, r.parent_uid from unnest($1::uuid[]) as wanted (uid)
  join lateral (select * from resources where uid = wanted.uid offset 0) as r on true
  order by r.kind, r.name, r.uid`;
