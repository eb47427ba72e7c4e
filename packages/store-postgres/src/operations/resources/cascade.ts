import type { Cascade, ResourceIdentity } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { blocksOwner, isChildOf, liveDependents } from './dependents.ts';

type Identity = readonly [
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  parentUid: string | null,
];
type Row = readonly [
  ...dependent: Identity,
  structural: boolean,
  blocking: boolean,
  revision: number,
  ...owner: Identity,
];

/** Tombstones the live dependents of a locked row, and says how each depends on it. */
export async function cascadeFrom(sql: Sql, uid: string): Promise<readonly Cascade[]> {
  const rows = await sql.rows<Row>(text, [uid]);
  return rows.map((row) => ({
    owner: identityOf(row.slice(8) as unknown as Identity),
    dependent: identityOf(row.slice(0, 5) as unknown as Identity),
    relationship: row[5] ? 'structuralChild' : 'ownerReference',
    blocking: row[6],
    revision: row[7],
  }));
}

function identityOf([apiVersion, kind, name, uid, parentUid]: Identity): ResourceIdentity {
  return { apiVersion, kind, name, uid, parentUid };
}

const identity = (alias: string) =>
  ['api_version', 'kind', 'name', 'uid', 'parent_uid'].map((column) => `${alias}.${column}`).join(', ');

/**
 * The relationship is read off the stamped row itself. (Joining the stamped rows with the dependents looks the same, but was planned as
 * a nested loop over two lists of unknown length: quadratic for a wide parent.)
 */
const text = `
  with stamped as (
    update resources r set deletion_timestamp = now(), revision = r.revision + 1, updated_at = now()
    where r.uid = any(array(${liveDependents('$1::uuid')})) and r.deletion_timestamp is null
    returning ${identity('r')}, coalesce(${isChildOf('$1::uuid', 'r')}, false) as structural,
      ${blocksOwner('$1::uuid', 'r')} as blocking, r.revision
  )
  select ${identity('stamped')}, structural, structural or blocking, stamped.revision, ${identity('owner')}
  from stamped cross join resources as owner
  where owner.uid = $1::uuid`;
