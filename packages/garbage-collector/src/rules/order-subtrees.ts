import { groupByKey } from '@platform/kernel';
import type { DependentEdge } from '../model/batch.ts';

/** The dependents that a traversal found, by the row that they depend on. */
export function groupByOwner(edges: readonly DependentEdge[]): ReadonlyMap<string, readonly string[]> {
  return groupByKey(edges.map(({ from, uid }) => [from, uid]));
}

/**
 * Orders the seeds and rows of a traversal so that each row comes after one it depends on, and each subtree is contiguous. A batch of
 * consecutive rows then contains most subtrees completely and removes them without writing their tombstones first.
 */
export function orderSubtrees(seeds: readonly string[], edges: readonly DependentEdge[]): readonly string[] {
  const dependents = groupByOwner(edges);
  const ordered = new Set<string>();
  const stack = seeds.toReversed();
  for (let uid = stack.pop(); uid !== undefined; uid = stack.pop()) {
    if (ordered.has(uid)) continue;
    ordered.add(uid);
    for (const dependent of dependents.get(uid)?.toReversed() ?? []) stack.push(dependent);
  }
  return [...ordered];
}

/**
 * Chooses the edges to work on first when a traversal from one seed was cut off at its limit. A narrow subtree (a chain) is taken
 * completely; of a wide one only the first level, because the subtrees below may fit one traversal and then need no tombstones. The deepest
 * level may be incomplete; its rows are traversed again.
 */
export function topLevels(
  seed: string,
  edges: readonly DependentEdge[],
  batchSize: number,
): readonly DependentEdge[] {
  const firstLevel = edges.filter(({ from }) => from === seed);
  return firstLevel.length <= batchSize / 10 ? edges : firstLevel;
}
