import type { Sql } from '@platform/postgres';
import { platformGroup } from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';

// Group and kind are parameters: as in lock-organization.ts.
const organizations = 'resources where parent_uid is null and api_group = $1::text and kind = $2::text';
const identity = [platformGroup, 'Organization'];

/** Whether any Organization is stored, or one of the name; tombstoned ones count. */
export async function organizationsExist(sql: Sql, name: string | null): Promise<boolean> {
  const [row] =
    name === null
      ? await sql.rows<readonly [boolean]>(`select exists (select from ${organizations})`, identity)
      : await sql.rows<readonly [boolean]>(
          `select exists (select from ${organizations} and name = $3::text)`,
          [...identity, name],
        );
  return row?.[0] === true;
}

/** The tables whose rows belong to an Organization by `organization_resource_uid`. */
const typedTables: readonly string[] = ['projects', 'teams'];

/** Whether a typed resource is linked to the Organization, whose row is locked. */
export async function hasTypedChildren(sql: Sql, organizationUid: string): Promise<boolean> {
  const [row] = await sql.rows<readonly [boolean]>(findTypedChild, [organizationUid]);
  return row?.[0] === true;
}

const findTypedChild = `select ${typedTables
  .map((table) => `exists (select from ${table} where organization_resource_uid = $1::uuid)`)
  .join(' or ')}`;

/** Makes concurrent bootstraps of replicas run one after the other: the lock is held to the end of the transaction. */
export async function lockBootstrap(sql: Sql): Promise<void> {
  await sql.rows(`select ${advisoryLock.bootstrap}::text`);
}
