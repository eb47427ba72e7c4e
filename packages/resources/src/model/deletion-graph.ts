import { groupByKey } from '@platform/kernel';
import type { ResourceIdentity } from './resource.ts';

/** The facts about a row that matter to deletions. */
export interface DeletionNode {
  readonly identity: ResourceIdentity;
  /** Null while the row is live. */
  readonly deletionTimestamp: string | null;
  readonly finalizers: readonly string[];
  /** Whether the row is live and protected from deletion. */
  readonly protected: boolean;
}

/** A dependent of a row: a structural child, or a row with an owner reference to it. A row that is both is a child. */
export interface DeletionEdge {
  readonly owner: string;
  readonly dependent: string;
  readonly relationship: 'structuralChild' | 'ownerReference';
  /** Whether the owner stays until the dependent is removed. Children always block. */
  readonly blocking: boolean;
}

/** A row and what depends on it, directly or not. */
export interface DeletionGraph {
  readonly root: DeletionNode;
  /** Every row that was found, by uid, nearest first. */
  readonly nodes: ReadonlyMap<string, DeletionNode>;
  /** Nearest first: in the order of their owners, which is that of `nodes`. */
  readonly edges: readonly DeletionEdge[];
  /** Whether these are all edges. */
  readonly complete: boolean;
}

/** The edges of each owner. */
export function edgesByOwner({ edges }: DeletionGraph): ReadonlyMap<string, readonly DeletionEdge[]> {
  return groupByKey(edges.map((edge) => [edge.owner, edge]));
}
