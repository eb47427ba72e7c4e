import type { Sql } from '@platform/postgres';
import type { Cascade, ChangeContext, ResourceIdentity } from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';
import { wakeChannel } from '../../listener.ts';
import { changeAssignments, changeLiteral } from './change.ts';
import { blocksOwner, isChildOf, isOwnedBy, liveDependents } from './dependents.ts';
import { isLive, revisionOf } from './pending-cascades.ts';

type Identity = readonly [
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  parentUid: string | null,
];
type Row = readonly [...dependent: Identity, structural: boolean, blocking: boolean, revision: number];

/** Dependents that one statement marks as deleted, at most: a tenth of the statement timeout even on a machine that has much else to do. */
const mostAtOnce = 10_000;

/** The text of an array of uids as PostgreSQL writes it: `{}` or `{uid,uid}`. Hundreds of thousands of them are not worth parsing. */
export type UidArray = string;

const uidLength = 36;

/** The live dependents of a row that is locked to be deleted; null when there are more than `most`. */
export async function findDependents(sql: Sql, uid: string, most: number): Promise<UidArray | null> {
  const [row] = await sql.rows<readonly [UidArray | null]>(dependentsText, [uid, most]);
  return row?.[0] ?? null;
}

/**
 * Tombstones the dependents of a locked row, and says how each depends on it. The dependents are locked, too. They are updated by uid, a
 * part at a time: looking for the live ones before each part would read past all that are tombstones already.
 */
export async function cascadeFrom(
  sql: Sql,
  { uid, dependents }: { readonly uid: string; readonly dependents: UidArray },
  change: ChangeContext,
  most = mostAtOnce,
): Promise<readonly Cascade[]> {
  if (dependents === '{}') return [];
  const mark = async () => {
    const marked: Row[] = [];
    for (const part of partsOf(dependents, most)) {
      for (const row of await sql.rows<Row>(markText, [uid, part, changeLiteral(change)])) marked.push(row);
    }
    return marked;
  };
  const [owners, rows] = await Promise.all([sql.rows<Identity>(ownerText, [uid]), mark()]);
  const [owner] = owners;
  if (owner === undefined) return [];
  const named = identityOf(owner);
  return rows.map((row) => cascadeOf(named, row));
}

function* partsOf(uids: UidArray, most: number): Generator<UidArray> {
  const step = most * (uidLength + 1);
  const end = uids.length - 1;
  for (let at = 1; at < end; at += step) yield `{${uids.slice(at, Math.min(at + step - 1, end))}}`;
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

const isChild = `coalesce(${isChildOf('$1::uuid', 'r')}, false)`;

/**
 * A dependent may have dropped its reference while the deletion waited for its lock, so each row is asked again. The relationship is read off the
 * updated row itself. (Joining the updated rows with the dependents looks the same, but was planned as a nested loop over two lists of unknown
 * length: quadratic for a wide parent.) `coalesce` keeps the condition out of any index: rows are found by uid.
 */
const markText = `
  update resources r set deletion_timestamp = now(), revision = ${revisionOf('r')} + 1, updated_at = now(),
    deletion = $3::text[], ${changeAssignments('$3::text[]')}
  where r.uid = any($2::uuid[]) and r.uid <> $1::uuid and ${isLive('r')}
    and (${isChild} or ${isOwnedBy('$1::uuid', 'r')})
  returning ${identity('r')}, ${isChild}, ${blocksOwner('$1::uuid', 'r')}, r.revision`;

const dependentsText = `
  with live as materialized (${liveDependents('$1::uuid', '$2::bigint + 1')})
  select case when (select count(*) from live) <= $2::bigint then array(select uid from live)::text end`;

/** Once, rather than with each of a hundred thousand rows. */
const ownerText = `select ${identity('r')} from resources r where r.uid = $1::uuid`;

/**
 * Makes tombstones of all dependents of a locked row at once. Waits for writes of dependents that have not committed. Such cascades commit
 * one after the other, in the order of `seq`: the time of a tombstone never changes.
 */
export async function pendCascade(sql: Sql, uid: string, change: ChangeContext): Promise<void> {
  await sql.rows(`select ${advisoryLock.cascade}::text`);
  await sql.rows(`select ${advisoryLock.cascadeFrom('$1::uuid')}::text`, [uid]);
  await sql.rows(pendText, [uid, changeLiteral(change)]);
}

const pendText = `
  insert into pending_cascades (owner_uid, time, change, api_version, kind, name, parent_uid)
  select uid, now(), $2::text[], api_version, kind, name, parent_uid from resources where uid = $1::uuid
  on conflict (owner_uid) do nothing
  returning pg_notify('${wakeChannel}', 'tombstoned ' || (extract(epoch from time) * 1000)::bigint)::text`;
