import { type DeletionGraph, type DeletionNode, edgesByOwner } from '../model/deletion-graph.ts';
import { reservedFinalizerPrefix } from '../model/names.ts';
import type { ResourceIdentity } from '../model/resource.ts';

/**
 * Why a tombstone is still there:
 * - `finalizer`: a controller or an operator has to remove it;
 * - `protected`: the cascade waits for a protected resource;
 * - `live_dependent`: the collector has not tombstoned the dependent yet;
 * - `collector`: nothing holds the resource; the collector has not removed it yet.
 */
export type RootCauseKind = 'finalizer' | 'protected' | 'live_dependent' | 'collector';

/** One cause, with the shortest way to it from the row that is explained, both ends included. */
export interface RootCause {
  readonly kind: RootCauseKind;
  readonly node: DeletionNode;
  readonly path: readonly ResourceIdentity[];
  /** Since when it holds the row, RFC 3339: the deletion of the nearest tombstone on the path. */
  readonly since: string;
  /** With `finalizer`. */
  readonly finalizer: string | null;
}

interface Step {
  readonly node: DeletionNode;
  readonly from: Step | null;
  readonly since: string;
  /** Whether the step before waits until this row is removed, and not only until it is a tombstone. */
  readonly holds: boolean;
}

/**
 * Finds the root causes of a tombstone over all levels, nearest first, up to `limit`. Rows below a protected one count too: they hold the
 * tombstone as soon as the protection is gone.
 */
export function findRootCauses(graph: DeletionGraph, limit: number): readonly RootCause[] {
  const { root } = graph;
  if (root.deletionTimestamp === null) return [];
  const edges = edgesByOwner(graph);
  const unread = new Set(unreadNodes(graph));
  const causes: RootCause[] = [];
  const seen = new Set<string>();
  const expanded = new Set([root.identity.uid]);
  const queue: Step[] = [{ node: root, from: null, since: root.deletionTimestamp, holds: true }];
  const add = (step: Step, kind: RootCauseKind, finalizer: string | null = null) => {
    const { node, since } = step;
    const key = `${kind} ${node.identity.uid} ${finalizer ?? ''}`;
    if (seen.has(key)) return;
    seen.add(key);
    causes.push({ kind, node, path: pathTo(step), since, finalizer });
  };
  for (let next = 0; next < queue.length && causes.length <= limit; next += 1) {
    const step = queue[next] as Step;
    const { node } = step;
    if (node.protected) add(step, 'protected');
    else if (node.deletionTimestamp === null && step.from?.node.deletionTimestamp != null)
      add(step, 'live_dependent');
    if (!step.holds) continue;
    const finalizers = node.finalizers.filter((name) => !name.startsWith(reservedFinalizerPrefix));
    for (const finalizer of finalizers) add(step, 'finalizer', finalizer);
    let held = finalizers.length > 0 || unread.has(node.identity.uid);
    for (const { dependent, blocking } of edges.get(node.identity.uid) ?? []) {
      const below = graph.nodes.get(dependent);
      if (below === undefined || (!blocking && below.deletionTimestamp !== null)) continue;
      held = true;
      if (blocking && expanded.has(dependent)) continue;
      if (blocking) expanded.add(dependent);
      queue.push({ node: below, from: step, since: below.deletionTimestamp ?? step.since, holds: blocking });
    }
    if (!held && node.deletionTimestamp !== null) add(step, 'collector');
  }
  return causes.slice(0, limit);
}

/** The rows whose dependents were not all read. The last owner that was read may have more. */
function unreadNodes({ nodes, edges, complete }: DeletionGraph): readonly string[] {
  const uids = [...nodes.keys()];
  return complete ? [] : uids.slice(uids.indexOf(edges.at(-1)?.owner ?? ''));
}

function pathTo(step: Step): readonly ResourceIdentity[] {
  const path: ResourceIdentity[] = [];
  for (let at: Step | null = step; at !== null; at = at.from) path.unshift(at.node.identity);
  return path;
}
