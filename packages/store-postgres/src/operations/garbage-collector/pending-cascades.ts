import type { CascadeOutcome, GarbageCollectorStore, PendingDependents } from '@platform/garbage-collector';
import { arrayLiteral, type Database, parseArrayLiteral, type Sql } from '@platform/postgres';
import type { Cascade } from '@platform/resources';
import { changeAssignments } from '../resources/change.ts';
import { blocksOwner, isChildOf, unstampedDependents } from '../resources/dependents.ts';
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
];

/** Finds dependents of the oldest pending cascade that are to be stamped. A cascade without any is over and forgotten. */
export function pendingDependents(database: Database, limit: number): Promise<PendingDependents | null> {
  return planned(database, async (sql) => {
    for (;;) {
      const [oldest] = await sql.rows<readonly [string]>(oldestText);
      if (oldest === undefined) return null;
      const [owner] = oldest;
      const [found] = await sql.rows<readonly [string]>(unstampedText, [owner, limit]);
      const dependents = parseArrayLiteral(found?.[0] ?? '{}');
      if (dependents.length > 0) return { owner, dependents };
      // Nothing can have joined them: what is tombstoned or removed gets no new dependents.
      await sql.rows(forgetText, [owner]);
    }
  });
}

/** Stamps dependents of a pending cascade, except those that another transaction has locked. */
export function stampDependents(
  database: Database,
  { owner, uids, fence }: Parameters<GarbageCollectorStore['stampDependents']>[0],
): Promise<CascadeOutcome> {
  return planned(database, async (sql: Sql): Promise<CascadeOutcome> => {
    const end = await checkFence(sql, fence);
    if (end !== null) return { outcome: end };
    const rows = await sql.rows<Row>(stampText, [owner, arrayLiteral(uids)]);
    return { outcome: 'committed', cascades: rows.map((row) => cascadeOf(owner, row)) };
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

const oldestText = 'select owner_uid from pending_cascades order by seq limit 1';

const unstampedText = `
  select array(select uid from (${unstampedDependents('$1::uuid', '$2::bigint')}) as d limit $2::bigint)::text`;

const forgetText = 'delete from pending_cascades where owner_uid = $1::uuid';

// The trigger on `resources` finds the cascade once more: it may be that of another owner, committed before.
const stampText = `
  with cause as materialized (select * from pending_cascades where owner_uid = $1::uuid),
  free as materialized (
    select r.uid from unnest($2::uuid[]) as wanted (uid)
    cross join lateral (select uid from resources where uid = wanted.uid and deletion_timestamp is null for update skip locked) as r
  )
  update resources r set deletion_timestamp = cause.time, deletion = cause.change, ${changeAssignments('cause.change')},
    revision = r.revision + 1, updated_at = now()
  from free cross join cause where r.uid = free.uid
  returning cause.api_version, cause.kind, cause.name, cause.parent_uid,
    r.api_version, r.kind, r.name, r.uid, r.parent_uid,
    coalesce(${isChildOf('$1::uuid', 'r')}, false), ${blocksOwner('$1::uuid', 'r')}, r.revision`;
