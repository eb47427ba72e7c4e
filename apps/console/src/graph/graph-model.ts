import type { Identity, Relative } from '../api/resource.ts';

/** A resource, or a group of resources of one kind that is too large to draw. */
export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly deleting: boolean;
  /** Null for a group. */
  readonly identity: Pick<Identity, 'apiVersion' | 'kind' | 'name' | 'uid'> | null;
  readonly isCenter: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `parent` is structural; the others are owner references. */
  readonly relation: 'parent' | 'owner' | 'blocking owner';
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Resources that are in groups. */
  readonly folded: number;
}

/** Siblings of one kind from this number on are one node. */
const foldFrom = 8;

/** The resource in the middle, parents and owners before it, children and dependents after it. */
export function buildGraph(
  center: Pick<Identity, 'apiVersion' | 'kind' | 'name' | 'uid'> & { readonly deleting: boolean },
  owners: readonly Relative[],
  dependents: readonly Relative[],
): Graph {
  const nodes: GraphNode[] = [
    {
      id: center.uid,
      title: center.name,
      kind: center.kind,
      deleting: center.deleting,
      identity: center,
      isCenter: true,
    },
  ];
  const edges: GraphEdge[] = [];
  let folded = 0;
  for (const owner of owners) {
    nodes.push(nodeOf(owner));
    edges.push({ from: owner.uid, to: center.uid, relation: relationOf(owner) });
  }
  const kinds = new Map<string, Relative[]>();
  for (const one of dependents) {
    const key = `${relationOf(one)} ${one.kind}`;
    kinds.set(key, [...(kinds.get(key) ?? []), one]);
  }
  for (const [key, members] of kinds) {
    const [first] = members;
    if (first !== undefined && members.length >= foldFrom) {
      folded += members.length;
      const deleting = members.some(({ deletionTimestamp }) => deletionTimestamp !== null);
      const group = { id: key, title: `${members.length} × ${first.kind}`, kind: first.kind, deleting };
      nodes.push({ ...group, identity: null, isCenter: false });
      edges.push({ from: center.uid, to: key, relation: relationOf(first) });
      continue;
    }
    for (const one of members) {
      nodes.push(nodeOf(one));
      edges.push({ from: center.uid, to: one.uid, relation: relationOf(one) });
    }
  }
  return { nodes: unique(nodes), edges, folded };
}

function nodeOf({ uid, name, kind, apiVersion, deletionTimestamp }: Relative): GraphNode {
  const identity = { apiVersion, kind, name, uid };
  return { id: uid, title: name, kind, deleting: deletionTimestamp !== null, identity, isCenter: false };
}

function relationOf({ relationship, blockOwnerDeletion }: Relative): GraphEdge['relation'] {
  if (relationship === 'parent' || relationship === 'structuralChild') return 'parent';
  return blockOwnerDeletion === true ? 'blocking owner' : 'owner';
}

/** A parent may be an owner, too. */
function unique(nodes: readonly GraphNode[]): readonly GraphNode[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}
