import { storedRole } from '@platform/access';
import type { Sql } from '@platform/postgres';
import { type AccessFacts, platformGroup } from '@platform/resources';
import { readLineage } from './lineage.ts';
import { createAccessSource } from './load-access.ts';

/** The facts about roles and bindings, in a transaction. */
export function accessFactsIn(sql: Sql): AccessFacts {
  return {
    ...createAccessSource(sql),
    lineage: (uid) => readLineage(sql, uid),
    async role(name) {
      const [row] = await sql.rows<readonly [string]>(roleText, [platformGroup, 'Role', name]);
      return row === undefined ? null : storedRole(name, JSON.parse(row[0]));
    },
    async rolesCreated() {
      const [row] = await sql.rows<readonly [boolean]>('select roles_created from access_rules for update');
      return row?.[0] === true;
    },
    async markRolesCreated() {
      await sql.rows('update access_rules set roles_created = true');
    },
  };
}

const roleText = `
  select spec::text from resources
  where parent_uid is null and api_group = $1::text and kind = $2::text and name = $3::text`;
