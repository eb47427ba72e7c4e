import type {
  Fenced,
  GarbageCollectorStore,
  MarkedDependents,
  PendingDependents,
} from '@platform/garbage-collector';
import { arrayLiteral, type Database, parseArrayLiteral, type Sql } from '@platform/postgres';
import type { Cascade } from '@platform/resources';
import { changeAssignments } from '../resources/change.ts';
import { blocksOwner, isChildOf, unmarkedDependents } from '../resources/dependents.ts';
import { checkFence } from './lease.ts';
import { planned } from './planned.ts';

type Row = readonly [
  ownerVersion: string,
  ownerKind: string,
  ownerName: string,
  ownerParent: string | null,
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  parentUid: string | null,
  structural: boolean,
  blocking: boolean,
  revision: number,
  leaf: boolean,
];
const [uidColumn, leafColumn] = [7, 12] as const;

/** Finds dependents of the oldest pending cascade that are not marked as deleted. A cascade without any is deleted. */
export function pendingDependents(database: Database, limit: number): Promise<PendingDependents | null> {
  return planned(database, async (sql) => {
    for (;;) {
      const [oldest] = await sql.rows<readonly [string, number]>(oldestText);
      if (oldest === undefined) return null;
      const [owner, since] = oldest;
      const [found] = await sql.rows<readonly [string]>(unmarkedText, [owner, limit]);
      const dependents = parseArrayLiteral(found?.[0] ?? '{}');
      if (dependents.length > 0) return { owner, since, dependents };
      // None can have been added: a tombstone gets no new dependents.
      await sql.rows(forgetText, [owner]);
    }
  });
}

/** Marks dependents of a pending cascade, and removes the leaves among them, except those that another transaction has locked. */
export function markDependentsDeleted(
  database: Database,
  { owner, uids, fence }: Parameters<GarbageCollectorStore['markDependentsDeleted']>[0],
): Promise<Fenced<MarkedDependents>> {
  return planned(database, async (sql: Sql): Promise<Fenced<MarkedDependents>> => {
    const end = await checkFence(sql, fence);
    if (end !== null) return { outcome: end };
    const rows = await sql.rows<Row>(markText, [owner, arrayLiteral(uids)]);
    const removed = rows.filter((row) => row[leafColumn]).map((row) => row[uidColumn]);
    return { outcome: 'committed', cascades: rows.map((row) => cascadeOf(owner, row)), removed };
  });
}

function cascadeOf(owner: string, row: Row): Cascade {
  const [ownerVersion, ownerKind, ownerName, ownerParent, apiVersion, kind, name, uid, parentUid] = row;
  const [structural, blocking, revision] = row.slice(9) as [boolean, boolean, number];
  return {
    owner: { apiVersion: ownerVersion, kind: ownerKind, name: ownerName, uid: owner, parentUid: ownerParent },
    dependent: { apiVersion, kind, name, uid, parentUid },
    relationship: structural ? 'structuralChild' : 'ownerReference',
    blocking: structural || blocking,
    revision,
  };
}

const oldestText = `
  select owner_uid, (extract(epoch from time) * 1000)::bigint from pending_cascades order by seq limit 1`;

const unmarkedText = `
  select array(select uid from (${unmarkedDependents('$1::uuid', '$2::bigint')}) as d limit $2::bigint)::text`;

const forgetText = 'delete from pending_cascades where owner_uid = $1::uuid';

// A row is locked before it is asked whether it is a leaf, as in remove-leaf.ts. The triggers on `resources` find the cascade once more: it may
// be that of another owner, committed before. A leaf gets both log entries, that of the cascade and that of its removal.
const markText = `
  with cause as materialized (select * from pending_cascades where owner_uid = $1::uuid),
  locked as materialized (
    select r.* from unnest($2::uuid[]) as wanted (uid)
    cross join lateral (
      select uid, api_version, kind, name, parent_uid, owner_references, finalizers, revision from resources
      where uid = wanted.uid and deletion_timestamp is null for update skip locked) as r
  ),
  free as materialized (
    select locked.*, finalizers = '{}' and not has_dependents(uid) as leaf from locked
  ),
  removed as (
    delete from resources r using free where r.uid = free.uid and leaf
  ),
  marked as (
    update resources r set deletion_timestamp = cause.time, deletion = cause.change, ${changeAssignments('cause.change')},
      revision = r.revision + 1, updated_at = now()
    from free cross join cause where r.uid = free.uid and not leaf
  )
  select cause.api_version, cause.kind, cause.name, cause.parent_uid,
    r.api_version, r.kind, r.name, r.uid, r.parent_uid,
    coalesce(${isChildOf('$1::uuid', 'r')}, false), ${blocksOwner('$1::uuid', 'r')}, r.revision + 1, leaf
  from free as r cross join cause`;
