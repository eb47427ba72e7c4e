import type { GroupKind } from '../model/definition.ts';
import type { DeletionGraph } from '../model/deletion-graph.ts';
import type { Resource } from '../model/resource.ts';

/** How far a graph is followed. */
export interface GraphBounds {
  /** The most edges. */
  readonly limit: number;
  /**
   * - `all`: every dependent of every row, which a deletion removes too;
   * - `holding`: what keeps a tombstone. Dependents that do not block are included only while they are live, and not followed further.
   */
  readonly follow: 'all' | 'holding';
}

/** Reads for explanations, and for plans of deletions and of changed definitions. None takes a lock, and each is one snapshot. */
export interface DeletionReader {
  /** Must return the row and what depends on it, breadth first; null when there is no such row. */
  deletionGraph(uid: string, bounds: GraphBounds): Promise<DeletionGraph | null>;

  /**
   * Must return the rows that exist, in the order of the uids. The caller bounds them. Without documents, `metadata`, `spec` and `status`
   * are `{}`.
   */
  resources(uids: readonly string[], options?: { readonly documents: boolean }): Promise<readonly Resource[]>;

  /** Must return the definitions that claim the kinds. */
  definitionsOf(kinds: readonly GroupKind[]): Promise<readonly Resource[]>;

  /** Must return the rows of a kind at any version, tombstones included; at most `limit`. */
  instancesOf(
    kind: GroupKind,
    limit: number,
  ): Promise<readonly { readonly uid: string; readonly apiVersion: string }[]>;

  /** Must return since when (RFC 3339) the collector is paused; null while it runs. */
  collectorPausedSince(): Promise<string | null>;
}
