import { groupByKey } from '@platform/kernel';
import type { Sql } from '@platform/postgres';
import { type BrokenRow, hasOwners, resourceName } from './check.ts';

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

/**
 * The nodes of a directed graph that lie on a cycle, by the strongly connected components (Tarjan 1972). Time and memory grow with the
 * number of edges. It is iterative, because a chain may be longer than the stack.
 * @param edges tail and head of each.
 */
export function nodesOfCycles(edges: readonly (readonly [string, string])[]): readonly string[] {
  const heads = groupByKey(edges);
  const found: string[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const lower = (node: string, to: number) => low.set(node, Math.min(low.get(node) ?? to, to));

  const visit = (start: string) => {
    const path = [{ node: start, next: 0 }];
    while (path.length > 0) {
      const step = path.at(-1) as { node: string; next: number };
      const { node } = step;
      if (step.next === 0) enter(node);
      const head = heads.get(node)?.[step.next];
      step.next += 1;
      if (head === undefined) {
        path.pop();
        leave(node, path.at(-1)?.node);
      } else if (!index.has(head)) path.push({ node: head, next: 0 });
      else if (isOpen.has(head)) lower(node, index.get(head) as number);
    }
  };

  const enter = (node: string) => {
    lower(node, index.size);
    index.set(node, index.size);
    open.push(node);
    isOpen.add(node);
  };

  const leave = (node: string, above: string | undefined) => {
    if (above !== undefined) lower(above, low.get(node) as number);
    if (low.get(node) === index.get(node)) close(node);
  };

  /** Removes a component from the open nodes; `first` is its first node. */
  const close = (first: string) => {
    const component = open.splice(open.lastIndexOf(first));
    for (const node of component) isOpen.delete(node);
    if (component.length > 1 || heads.get(first)?.includes(first)) found.push(...component);
  };

  for (const node of heads.keys()) if (!index.has(node)) visit(node);
  return found;
}
