import type { Sql } from '@platform/postgres';
import type { GroupKind } from '@platform/resources';

/** The kind of the parent of one row of a kind, null at the root; undefined when there are no rows. All rows of a kind have the same. */
export async function parentOfInstances(
  sql: Sql,
  { group, kind }: GroupKind,
): Promise<GroupKind | null | undefined> {
  const [row] = await sql.rows<readonly [string | null, string | null]>(text, [group, kind]);
  if (row === undefined) return undefined;
  const [parentGroup, parentKind] = row;
  return parentGroup === null || parentKind === null ? null : { group: parentGroup, kind: parentKind };
}

// The order keeps the planner at the index, which has the versions of a kind in this order.
const text = `
  select above.api_group, above.kind
  from (
    select r.parent_uid from resources r
    where r.api_group || '/' || r.kind = $1::text || '/' || $2::text
    order by r.api_version limit 1
  ) instance
  left join resources above on above.uid = instance.parent_uid`;
