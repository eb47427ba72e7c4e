import {
  type DeletionEdge,
  type DeletionGraph,
  type DeletionNode,
  type GraphBounds,
  identityOf,
  type Resource,
} from '@platform/resources';
import { dependentsOf, isProtected } from './ownership.ts';
import type { Table } from './table.ts';

/** Follows children and owner-reference dependents of a row breadth first. */
export function deletionGraph(
  table: Table,
  uid: string,
  { limit, follow }: GraphBounds,
): DeletionGraph | null {
  const row = table.row(uid);
  if (row === null) return null;
  const root = nodeOf(row);
  const nodes = new Map([[uid, root]]);
  const edges: DeletionEdge[] = [];
  const queue = [uid];
  for (const owner of queue) {
    for (const { relationship, blocking, resource } of dependentsOf(table, owner)) {
      if (follow === 'holding' && !blocking && resource.deletionTimestamp !== null) continue;
      if (edges.length === limit) return { root, nodes, edges, complete: false };
      edges.push({ owner, dependent: resource.uid, relationship, blocking });
      nodes.set(resource.uid, nodeOf(resource));
      if ((blocking || follow === 'all') && !queue.includes(resource.uid)) queue.push(resource.uid);
    }
  }
  return { root, nodes, edges, complete: true };
}

function nodeOf(row: Resource): DeletionNode {
  const { deletionTimestamp, finalizers } = row;
  return { identity: identityOf(row), deletionTimestamp, finalizers, protected: isProtected(row) };
}
