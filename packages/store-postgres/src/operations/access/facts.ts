import { storedRole } from '@platform/access';
import { parseArrayLiteral, type Sql } from '@platform/postgres';
import { type AccessFacts, type Lineage, platformGroup } from '@platform/resources';
import { isLive } from '../resources/pending-cascades.ts';
import { existingScopes } from './guard.ts';
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

/** Reads a row of any kind with everything that it is below, from one snapshot. */
async function readLineage(sql: Sql, uid: string): Promise<Lineage | null> {
  const [row] = await sql.rows<
    readonly [string, string, string, string, string | null, boolean, string, string]
  >(lineageText, [uid]);
  if (row === undefined) return null;
  const [found, apiVersion, kind, name, parentUid, terminating, above, scope] = row;
  return {
    identity: { uid: found, apiVersion, kind, name, parentUid },
    terminating,
    within: [...parseArrayLiteral(above), ...parseArrayLiteral(scope)],
  };
}

const lineageText = `
  select r.uid, r.api_version, r.kind, r.name, r.parent_uid, not ${isLive('r')},
    r.ancestor_uids::text, ${existingScopes('r')}
  from resources r where r.uid = $1::uuid`;
