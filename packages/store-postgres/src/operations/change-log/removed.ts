import { arrayLiteral, parseArrayLiteral, type Sql } from '@platform/postgres';
import { type RemovedResources, type Resource, restoredFromAnnotation } from '@platform/resources';
import { columnsOf, loggedColumnsOf, toResource } from '../resources/row.ts';

/** Removed resources, from the entries of their removals. */
export function createRemoved(sql: Sql): RemovedResources {
  return {
    async find(uids) {
      const rows = await sql.rows<readonly [string | null, ...string[]]>(findText, [arrayLiteral(uids)]);
      return rows.map((row) => ({ cascadeId: row[0], resource: toResource(row, 1) }));
    },
    async removedBy(cascadeId, limit) {
      const rows = await sql.rows<readonly [string, string | null, string]>(removedByText, [
        cascadeId,
        limit,
      ]);
      return rows.map(([uid, parentUid, owners]) => ({
        uid,
        parentUid,
        ownerUids: parseArrayLiteral(owners),
      }));
    },
    async hasTombstoning(uid) {
      return (await sql.rows(tombstoningText, [uid])).length > 0;
    },
    async restoredAs(uids) {
      const rows = await sql.rows<readonly [string, ...string[]]>(restoredAsText, [arrayLiteral(uids)]);
      return new Map(rows.map((row): [string, Resource] => [row[0], toResource(row, 1)]));
    },
  };
}

// Offset 0: as in get-many.ts.
const findText = `
  select c.written[6], ${loggedColumnsOf('c')} from unnest($1::uuid[]) with ordinality as wanted (uid, place)
  cross join lateral (
    select * from changes where uid = wanted.uid and removed order by revision desc, seq desc limit 1
  ) as c
  order by wanted.place`;

const removedByText = `
  select c.uid, c.parent_uid,
    array(select owner ->> 'uid' from jsonb_array_elements(c.owner_references) as each (owner))::text
  from changes c where c.removed and c.written[6] = $1::text order by c.seq limit $2::bigint`;

// Newest first: few entries follow the tombstone, and none but these are left when it has expired.
const tombstoningText = `
  select revision from changes where uid = $1::uuid and not removed and written[1] in ('delete', 'cascade')
  order by revision desc limit 1`;

/** How often a resource may be removed and restored again before its first uid is forgotten. */
const maxSteps = 16;

const restoredAsText = `
  with recursive step (origin, uid, depth) as (
    select wanted.uid, wanted.uid, 0 from unnest($1::uuid[]) as wanted (uid)
    union all
    select step.origin, c.uid, step.depth + 1 from step cross join lateral (
      select uid from changes
      where written[1] = 'restore' and metadata #>> '{annotations,${restoredFromAnnotation}}' = step.uid::text
    ) as c
    where step.depth < ${maxSteps}
  )
  select distinct on (step.origin) step.origin, ${columnsOf('r')}
  from step cross join lateral (select * from resources where uid = step.uid offset 0) as r
  where step.depth > 0
  order by step.origin, r.created_at desc, r.uid desc`;
