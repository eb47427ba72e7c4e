import type { Sql } from '@platform/postgres';
import { type BrokenRow, hasOwners, resourceName } from './check.ts';
import { nodesOfCycles } from './nodes-of-cycles.ts';

/**
 * The rows with owners whose parents and owners lead back to them. A cycle that is not one of parents alone runs through such rows,
 * so they are the nodes: an edge leads to each that is an owner, or an ancestor of an owner or of the row itself. Only those with
 * edges in and out are read, which a sound database has few of.
 */
export async function ownershipCycles(sql: Sql): Promise<readonly BrokenRow[]> {
  const edges = await sql.rows<readonly [string, string]>(edgesText);
  const uids = nodesOfCycles(edges);
  if (uids.length === 0) return [];
  const rows = await sql.rows<readonly [string, string]>(namesText, [JSON.stringify(uids)]);
  return rows.map(([id, what]) => ({ id, what }));
}

const edgesText = `
  with node as materialized (
    select r.uid, owner_uids(r.owner_references) as owners, r.parent_uid, r.ancestor_uids from resources r where ${hasOwners('r')}
  ),
  edge as materialized (
    select node.uid as tail, above.uid as head from node
    cross join lateral (
      select unnest(node.owners) union select unnest(node.ancestor_uids) union select node.parent_uid
      union select unnest(o.ancestor_uids) from resources o where o.uid = any (node.owners)
    ) as above(uid)
    where above.uid in (select uid from node)
  )
  select tail::text, head::text from edge where tail in (select head from edge) and head in (select tail from edge)`;

const namesText = `
  select r.uid::text, ${resourceName('r')} || ': its parents and owners lead back to it' from resources r
  where r.uid in (select value::uuid from json_array_elements_text($1::json)) order by r.uid`;
