import type { Identity } from '../api/resource.ts';

type NodeIdentity = Pick<Identity, 'apiVersion' | 'kind' | 'name' | 'uid'>;

/** A resource, or a group of resources of one kind that is too large to draw. */
export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** How many resources of the node are being deleted; 0 or 1 for a single one. */
  readonly deleting: number;
  /** Null for a group. */
  readonly identity: NodeIdentity | null;
  /** The place of the table with the members of a group; null for a resource. */
  readonly table: { readonly apiVersion: string; readonly names: readonly string[] } | null;
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
  /** Whether a list was longer than what was read, so that groups count less than there is. */
  readonly isCut: boolean;
}

/** The resource in the middle, with the names of its ancestors, root first. */
export interface Center extends NodeIdentity {
  readonly deleting: boolean;
  readonly ancestors: readonly string[];
}

/** A resource more than one level below the center. */
export interface Descendant extends NodeIdentity {
  readonly ancestors: readonly string[];
  readonly deleting: boolean;
}

/** The resources of one kind at one level below the center. */
export interface Level {
  readonly parentKind: string;
  readonly items: readonly Descendant[];
  readonly isCut: boolean;
}

/** Whether every group leads to a table. Resources that name an owner may be anywhere, so no table has them all. */
export function groupsHaveTables({ nodes }: Pick<Graph, 'nodes'>): boolean {
  return nodes.every(({ identity, table }) => identity !== null || table !== null);
}
