import type { Sql } from '@platform/postgres';
import { platformGroup } from '@platform/resources';

/** A live Organization that cannot be tombstoned before the transaction ends, or why there is none. */
export type LockedOrganization =
  | { readonly outcome: 'locked'; readonly uid: string }
  | { readonly outcome: 'organizationMissing' | 'organizationTerminating' };

// Group and kind are parameters: the planner knows that few rows are Organizations, and would go through all of them by the index over versions.
const text = `
select uid, deletion_timestamp is not null
from resources
where parent_uid is null and api_group = $1::text and kind = $2::text and name = $3::text
for key share`;

/** Locks the Organization of that name against deletion, so that what is linked to it is never left behind. */
export async function lockOrganization(sql: Sql, name: string): Promise<LockedOrganization> {
  const [row] = await sql.rows<readonly [string, boolean]>(text, [platformGroup, 'Organization', name]);
  if (row === undefined) return { outcome: 'organizationMissing' };
  const [uid, terminating] = row;
  return terminating ? { outcome: 'organizationTerminating' } : { outcome: 'locked', uid };
}
