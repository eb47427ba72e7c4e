import { parseArrayLiteral, type Sql } from '@platform/postgres';
import type { Lineage } from '@platform/resources';
import { isLive } from '../resources/pending-cascades.ts';
import { existingScopes } from './guard.ts';

/** Reads a row of any kind with everything that it is below, from one snapshot. */
export async function readLineage(sql: Sql, uid: string): Promise<Lineage | null> {
  const [row] = await sql.rows<
    readonly [string, string, string, string, string | null, boolean, string, string]
  >(text, [uid]);
  if (row === undefined) return null;
  const [found, apiVersion, kind, name, parentUid, terminating, above, scope] = row;
  return {
    identity: { uid: found, apiVersion, kind, name, parentUid },
    terminating,
    within: [...parseArrayLiteral(above), ...parseArrayLiteral(scope)],
  };
}

const text = `
  select r.uid, r.api_version, r.kind, r.name, r.parent_uid, not ${isLive('r')},
    r.ancestor_uids::text, ${existingScopes('r')}
  from resources r where r.uid = $1::uuid`;
