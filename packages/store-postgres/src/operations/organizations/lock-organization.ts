import type { Sql } from '../../connection.ts';

/** A live Organization that cannot be tombstoned before the transaction ends, or why there is none. */
export type LockedOrganization =
  | { readonly outcome: 'locked'; readonly uid: string }
  | { readonly outcome: 'organizationMissing' | 'organizationTerminating' };

const text = `
select uid, deletion_timestamp is not null
from resources
where parent_uid is null and api_group = 'platform.dev' and kind = 'Organization' and name = $1::text
for key share`;

/** Locks the Organization of that name against deletion, so that what is linked to it is never left behind. */
export async function lockOrganization(sql: Sql, name: string): Promise<LockedOrganization> {
  const [row] = await sql.rows<readonly [string, boolean]>(text, [name]);
  if (row === undefined) return { outcome: 'organizationMissing' };
  const [uid, terminating] = row;
  return terminating ? { outcome: 'organizationTerminating' } : { outcome: 'locked', uid };
}
