import {
  type DeletionEdge,
  type DeletionGraph,
  type DeletionNode,
  edgesByOwner,
} from '../model/deletion-graph.ts';
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

/**
 * Resources on the paths of all causes together, at most. Attack: a thousand resources with finalizers below a chain of ten thousand owners.
 */
const maxOnPaths = 50_000;

/** Whether these are all causes up to the limit, since their paths were not too long. */
export function fitTogether(causes: readonly RootCause[]): boolean {
  return causes.reduce((sum, { path }) => sum + path.length, 0) <= maxOnPaths;
}

interface Step {
  readonly node: DeletionNode;
  readonly from: Step | null;
  readonly since: string;
  /** Whether the step before waits until this row is removed, and not only until it is a tombstone. */
  readonly holds: boolean;
}

/**
 * Finds the root causes of a tombstone over all levels, nearest first, up to `limit`, and as far as their paths are not too long. Rows below
 * a protected one count too: they hold the tombstone as soon as the protection is gone.
 */
export function findRootCauses(graph: DeletionGraph, limit: number): readonly RootCause[] {
  const causes = new Map<string, RootCause>();
  let onPaths = 0;
  for (const [step, isHeld] of stepsFrom(graph)) {
    const found = [...causesAt(step, isHeld)];
    const path = found.length === 0 ? [] : pathTo(step);
    for (const { kind, finalizer } of found) {
      const { node, since } = step;
      const key = `${kind} ${node.identity.uid} ${finalizer ?? ''}`;
      if (causes.has(key)) continue;
      causes.set(key, { kind, node, path, since, finalizer });
      onPaths += path.length;
    }
    if (causes.size > limit || onPaths > maxOnPaths) break;
  }
  return [...causes.values()].slice(0, limit);
}

/** The rows that hold the root, nearest first, and whether another row holds each of them. */
function* stepsFrom(graph: DeletionGraph): Generator<readonly [step: Step, isHeld: boolean]> {
  const { root } = graph;
  if (root.deletionTimestamp === null) return;
  const edges = edgesByOwner(graph);
  const unread = new Set(unreadNodes(graph));
  const expanded = new Set([root.identity.uid]);
  const steps: Step[] = [{ node: root, from: null, since: root.deletionTimestamp, holds: true }];
  // The list grows meanwhile.
  for (const step of steps) {
    const { uid } = step.node.identity;
    const next = step.holds ? stepsBelow(step, edges.get(uid) ?? [], graph) : [];
    for (const below of next) {
      if (below.holds && expanded.has(below.node.identity.uid)) continue;
      if (below.holds) expanded.add(below.node.identity.uid);
      steps.push(below);
    }
    yield [step, next.length > 0 || unread.has(uid)];
  }
}

/** The dependents that a row waits for: those that block it, and others until they are tombstones. */
function stepsBelow(from: Step, edges: readonly DeletionEdge[], { nodes }: DeletionGraph): readonly Step[] {
  return edges.flatMap(({ dependent, blocking }) => {
    const node = nodes.get(dependent);
    if (node === undefined || (!blocking && node.deletionTimestamp !== null)) return [];
    return [{ node, from, since: node.deletionTimestamp ?? from.since, holds: blocking }];
  });
}

/** Why a row holds the one before it. */
function* causesAt(
  { node, from, holds }: Step,
  isHeld: boolean,
): Generator<Pick<RootCause, 'kind' | 'finalizer'>> {
  const isLive = node.deletionTimestamp === null;
  if (node.protected) yield { kind: 'protected', finalizer: null };
  else if (isLive && from !== null && from.node.deletionTimestamp !== null)
    yield { kind: 'live_dependent', finalizer: null };
  if (!holds) return;
  const finalizers = node.finalizers.filter((name) => !name.startsWith(reservedFinalizerPrefix));
  for (const finalizer of finalizers) yield { kind: 'finalizer', finalizer };
  if (finalizers.length === 0 && !isHeld && !isLive) yield { kind: 'collector', finalizer: null };
}

/** The rows whose dependents were not all read. The last owner that was read may have more. */
function unreadNodes({ nodes, edges, complete }: DeletionGraph): readonly string[] {
  const uids = [...nodes.keys()];
  return complete ? [] : uids.slice(uids.indexOf(edges.at(-1)?.owner ?? ''));
}

function pathTo(step: Step): readonly ResourceIdentity[] {
  const path: ResourceIdentity[] = [];
  for (let at: Step | null = step; at !== null; at = at.from) path.push(at.node.identity);
  return path.reverse();
}
