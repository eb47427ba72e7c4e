import type { Sql } from '@platform/postgres';

/** The tables whose rows belong to an Organization by `organization_resource_uid`. */
const typedTables: readonly string[] = ['projects', 'teams'];

/** Whether a typed resource is linked to the Organization, whose row is locked. */
export async function hasTypedChildren(sql: Sql, organizationUid: string): Promise<boolean> {
  const [row] = await sql.rows<readonly [boolean]>(text, [organizationUid]);
  return row?.[0] === true;
}

const text = `select ${typedTables
  .map((table) => `exists (select from ${table} where organization_resource_uid = $1::uuid)`)
  .join(' or ')}`;
