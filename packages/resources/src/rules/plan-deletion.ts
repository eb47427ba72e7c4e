import { createHash } from 'node:crypto';
import {
  type DeletionEdge,
  type DeletionGraph,
  type DeletionNode,
  edgesByOwner,
} from '../model/deletion-graph.ts';
import { reservedFinalizerPrefix } from '../model/names.ts';
import type { ResourceIdentity } from '../model/resource.ts';

/** Something that keeps a tombstone: finalizers of a resource, or its protection. */
export interface Holder {
  readonly resource: ResourceIdentity;
  readonly finalizers: readonly string[];
  readonly protected: boolean;
}

/** A resource that is deleted with another one. */
export interface PlannedResource {
  readonly resource: ResourceIdentity;
  /** The nearest reason: the parent, or an owner that it names. */
  readonly because: {
    readonly relationship: DeletionEdge['relationship'];
    /** Null where the caller may not see it. */
    readonly owner: ResourceIdentity | null;
    readonly blockOwnerDeletion: boolean | null;
  };
  /** `held` while a finalizer or a protection, its own or below it, keeps it as a tombstone; otherwise `removed`. */
  readonly effect: 'removed' | 'held';
  /** The holders, nearest first, at most {@link maxHolders}. */
  readonly heldBy: readonly Holder[];
}

/** The effect that a deletion would have. */
export interface DeletionPlan {
  /** Names exactly the resources of the plan; null when there are too many to name. */
  readonly hash: string | null;
  /** Without the requested resource, nearest first. */
  readonly resources: readonly PlannedResource[];
  /** Protected resources, the requested one included: while there is one, the deletion is refused. */
  readonly protected: readonly ResourceIdentity[];
}

const maxHolders = 10;

/** Makes the plan of the deletion of the root of a graph of all dependents. */
export function planDeletion(graph: DeletionGraph): DeletionPlan {
  const { root, nodes, complete } = graph;
  const reasons = new Map<string, DeletionEdge>();
  for (const edge of graph.edges) if (!reasons.has(edge.dependent)) reasons.set(edge.dependent, edge);
  const holders = holdersOf(graph);
  const below = [...nodes.values()].filter(({ identity }) => identity.uid !== root.identity.uid);
  return {
    hash: complete
      ? hashOf(
          root.identity.uid,
          below.map(({ identity }) => identity.uid),
        )
      : null,
    resources: below.map(({ identity }) => {
      const { owner, relationship, blocking } = reasons.get(identity.uid) as DeletionEdge;
      const heldBy = holders.get(identity.uid) ?? [];
      return {
        resource: identity,
        because: {
          relationship,
          owner: (nodes.get(owner) as DeletionNode).identity,
          blockOwnerDeletion: relationship === 'ownerReference' ? blocking : null,
        },
        effect: heldBy.length > 0 ? 'held' : 'removed',
        heldBy,
      };
    }),
    protected: [...nodes.values()].filter((node) => node.protected).map(({ identity }) => identity),
  };
}

/** The order of the graph does not matter: the same resources have the same hash. */
function hashOf(rootUid: string, uids: readonly string[]): string {
  return createHash('sha256')
    .update([rootUid, ...[...uids].sort()].join('\n'), 'utf8')
    .digest('hex');
}

/** The holders of each row: its own finalizers and protection, then those of what it waits for. Dependents come before their owners. */
function holdersOf(graph: DeletionGraph): ReadonlyMap<string, readonly Holder[]> {
  const edges = edgesByOwner(graph);
  const holders = new Map<string, readonly Holder[]>();
  for (const uid of dependentsFirst(graph, edges)) {
    const ofDependents = (edges.get(uid) ?? []).flatMap(({ dependent, blocking }) => {
      const known = holders.get(dependent) ?? [];
      // A dependent that does not block is only waited for until it is a tombstone, which a protected one never becomes.
      return blocking
        ? known
        : known.filter(({ resource, ...own }) => resource.uid === dependent && own.protected);
    });
    const all = [...ownHolder(graph.nodes.get(uid) as DeletionNode), ...ofDependents];
    const distinct = new Map(all.map((holder) => [holder.resource.uid, holder]));
    holders.set(uid, [...distinct.values()].slice(0, maxHolders));
  }
  return holders;
}

function ownHolder({ identity, ...node }: DeletionNode): readonly Holder[] {
  const finalizers = node.finalizers.filter((name) => !name.startsWith(reservedFinalizerPrefix));
  const isHolder = finalizers.length > 0 || node.protected;
  return isHolder ? [{ resource: identity, finalizers, protected: node.protected }] : [];
}

/** Depth first without recursion: chains of owners have any length. */
function dependentsFirst(
  { root }: DeletionGraph,
  edges: ReadonlyMap<string, readonly DeletionEdge[]>,
): readonly string[] {
  const order: string[] = [];
  const seen = new Set<string>([root.identity.uid]);
  const stack = [{ uid: root.identity.uid, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = edges.get(top.uid)?.[top.next];
    top.next += 1;
    if (edge === undefined) {
      order.push(top.uid);
      stack.pop();
    } else if (!seen.has(edge.dependent)) {
      seen.add(edge.dependent);
      stack.push({ uid: edge.dependent, next: 0 });
    }
  }
  return order;
}
