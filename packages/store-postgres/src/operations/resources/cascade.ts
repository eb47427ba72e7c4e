import type { Sql } from '@platform/postgres';
import type { Cascade, ChangeContext, ResourceIdentity } from '@platform/resources';
import { changeAssignments, changeLiteral } from './change.ts';
import { blocksOwner, isChildOf, liveDependents } from './dependents.ts';

type Identity = readonly [
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  parentUid: string | null,
];
type Row = readonly [...dependent: Identity, structural: boolean, blocking: boolean, revision: number];

/** Dependents that one statement stamps, at most. They take some 9 s, a third of the statement timeout. */
const mostAtOnce = 100_000;

/** Tombstones the live dependents of a locked row, and says how each depends on it. */
export async function cascadeFrom(
  sql: Sql,
  uid: string,
  change: ChangeContext,
  most = mostAtOnce,
): Promise<readonly Cascade[]> {
  const stamp = () => sql.rows<Row>(stampText, [uid, most, changeLiteral(change)]);
  const [owners, first] = await Promise.all([sql.rows<Identity>(ownerText, [uid]), stamp()]);
  const [owner] = owners;
  if (owner === undefined) return [];
  const named = identityOf(owner);
  const cascades: Cascade[] = [];
  for (let rows = first; ; rows = await stamp()) {
    for (const row of rows) cascades.push(cascadeOf(named, row));
    if (rows.length < most) return cascades;
  }
}

function cascadeOf(owner: ResourceIdentity, row: Row): Cascade {
  const [apiVersion, kind, name, uid, parentUid, structural, blocking, revision] = row;
  return {
    owner,
    dependent: { apiVersion, kind, name, uid, parentUid },
    relationship: structural ? 'structuralChild' : 'ownerReference',
    blocking: structural || blocking,
    revision,
  };
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
const stampText = `
  update resources r set deletion_timestamp = now(), revision = r.revision + 1, updated_at = now(),
    deletion = $3::text[], ${changeAssignments('$3::text[]')}
  where r.uid = any(array(select uid from (${liveDependents('$1::uuid')}) as live limit $2::bigint)) and r.deletion_timestamp is null
  returning ${identity('r')}, coalesce(${isChildOf('$1::uuid', 'r')}, false), ${blocksOwner('$1::uuid', 'r')}, r.revision`;

/** Once, rather than with each of a hundred thousand rows. */
const ownerText = `select ${identity('r')} from resources r where r.uid = $1::uuid`;
