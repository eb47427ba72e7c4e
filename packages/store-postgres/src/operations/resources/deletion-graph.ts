import { Contention } from '@platform/kernel';
import { arrayLiteral, parseArrayLiteral, type Sql } from '@platform/postgres';
import type { DeletionEdge, DeletionGraph, DeletionNode, GraphBounds } from '@platform/resources';
import { blocksOwner, isChildOf, isOwnedBy, isProtected } from './dependents.ts';
import { deletedAt, isLive } from './pending-cascades.ts';

type Row = readonly [
  uid: string,
  owner: string | null,
  structural: boolean,
  blocking: boolean,
  apiVersion: string,
  kind: string,
  name: string,
  parentUid: string | null,
  deletionTimestamp: string | null,
  finalizers: string,
  isProtected: boolean,
];

/**
 * Follows children and owner-reference dependents breadth first, in one statement and so one snapshot.
 *
 *     root                      the first row, without an owner
 *     ├── child                 followed
 *     │   └── grandchild        followed
 *     └── (owned) dependent     followed; of what holds a tombstone: only when it blocks
 */
export async function deletionGraph(
  sql: Sql,
  uid: string,
  { limit, follow }: GraphBounds,
): Promise<DeletionGraph | null> {
  // The root, the edges, and one more to find out whether these are all.
  const rows = await sql.rows<Row>(follow === 'all' ? everythingText : holdingText, [uid, limit + 2]);
  const [first] = rows;
  if (first === undefined) return null;
  const nodes = new Map<string, DeletionNode>();
  const edges: DeletionEdge[] = [];
  for (const row of rows.slice(0, limit + 1)) {
    const [dependent, owner, structural, blocking] = row;
    if (!nodes.has(dependent)) nodes.set(dependent, nodeOf(row));
    if (owner === null) continue;
    const relationship = structural ? 'structuralChild' : 'ownerReference';
    edges.push({ owner, dependent, relationship, blocking });
  }
  return { root: nodeOf(first), nodes, edges, complete: rows.length < limit + 2 };
}

/** How often the rows of a graph are locked and read again before the request fails. */
const maxRounds = 5;

/**
 * Locks a graph `FOR UPDATE`, which keeps out creates below its rows, new references to them, and changes of their own references. Rows that came
 * between the reading and the locks are locked in the next round.
 */
export async function lockGraph(sql: Sql, uid: string, limit: number): Promise<DeletionGraph> {
  const locked = new Set<string>();
  for (let round = 0; round < maxRounds; round += 1) {
    const graph = await deletionGraph(sql, uid, { limit, follow: 'all' });
    if (graph === null) break;
    const more = [...graph.nodes.keys()].filter((one) => !locked.has(one));
    // A graph that is too large for a plan is refused, so it need not be locked.
    if (more.length === 0 || !graph.complete) return graph;
    await sql.rows(lockText, [arrayLiteral(more)]);
    for (const one of more) locked.add(one);
  }
  throw new Contention('The dependents of the resource keep changing.');
}

const lockText = 'select from resources where uid = any($1::uuid[]) order by uid for update';

function nodeOf(row: Row): DeletionNode {
  const [uid, , , , apiVersion, kind, name, parentUid, deletionTimestamp, finalizers, guarded] = row;
  return {
    identity: { apiVersion, kind, name, uid, parentUid },
    deletionTimestamp,
    finalizers: parseArrayLiteral(finalizers),
    protected: guarded,
  };
}

// The limit stops the recursion, which goes level by level. `union` follows each edge once.
const textOf = (leadsOn: string, owned: string) => `
  with recursive edges (uid, owner, structural, blocking) as (
    select r.uid, null::uuid, true, true from resources r where r.uid = $1::uuid
    union
    select dependent.* from edges
    cross join lateral (
      select c.uid, edges.uid, true, true from resources c where ${isChildOf('edges.uid', 'c')}
      union all
      select o.uid, edges.uid, false, ${blocksOwner('edges.uid', 'o')} from resources o
      where ${isOwnedBy('edges.uid', 'o')} and o.parent_uid is distinct from edges.uid ${owned}
    ) as dependent
    where ${leadsOn}
  )
  select edge.uid, edge.owner, edge.structural, edge.blocking, r.api_version, r.kind, r.name, r.parent_uid,
    to_char((${deletedAt('r')}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), r.finalizers::text, ${isProtected('r')}
  from (select *, row_number() over () as place from edges limit $2::bigint) as edge
  -- Offset 0: as in get-many.ts.
  cross join lateral (select * from resources where uid = edge.uid offset 0) as r
  order by edge.place`;

const everythingText = textOf('true', '');
const holdingText = textOf('edges.blocking', `and (${isLive('o')} or ${blocksOwner('edges.uid', 'o')})`);
