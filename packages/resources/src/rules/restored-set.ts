import type { RemovedNode } from '../model/removed-resource.ts';

/**
 * The part of a deletion that restoring one of its resources brings back: that resource and its dependents, over parents and owners. For
 * the resource that was deleted by the request it is everything, including resources that dropped their owner reference while they were
 * terminating.
 */
export function restoredSet(requested: string, removed: readonly RemovedNode[]): readonly string[] {
  const { dependedOn, dependents } = graphOf(removed);
  if ((dependedOn.get(requested) ?? []).length === 0) {
    return [requested, ...removed.map(({ uid }) => uid).filter((uid) => uid !== requested)];
  }
  const found = new Set([requested]);
  for (const uid of found) for (const dependent of dependents.get(uid) ?? []) found.add(dependent);
  return [...found];
}

/** The resources in levels: each depends only on resources of earlier levels and on others. */
export function restoreLevels(nodes: readonly RemovedNode[]): readonly (readonly string[])[] {
  const { dependedOn, dependents } = graphOf(nodes);
  const missing = new Map([...dependedOn].map(([uid, on]) => [uid, on.length]));
  const levels: string[][] = [];
  for (let level = nodes.map(({ uid }) => uid).filter((uid) => missing.get(uid) === 0); level.length > 0; ) {
    levels.push(level);
    const next: string[] = [];
    for (const dependent of level.flatMap((uid) => dependents.get(uid) ?? [])) {
      const left = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, left);
      if (left === 0) next.push(dependent);
    }
    level = next;
  }
  return levels;
}

interface Graph {
  /** The parent and the owners of each resource that are in the graph. */
  readonly dependedOn: ReadonlyMap<string, readonly string[]>;
  readonly dependents: ReadonlyMap<string, readonly string[]>;
}

function graphOf(nodes: readonly RemovedNode[]): Graph {
  const dependents = new Map<string, string[]>(nodes.map(({ uid }) => [uid, []]));
  const dependedOn = new Map(
    nodes.map(({ uid, parentUid, ownerUids }) => {
      const on = [...new Set(parentUid === null ? ownerUids : [parentUid, ...ownerUids])];
      return [uid, on.filter((one) => dependents.has(one))];
    }),
  );
  for (const [uid, on] of dependedOn) for (const one of on) dependents.get(one)?.push(uid);
  return { dependedOn, dependents };
}
