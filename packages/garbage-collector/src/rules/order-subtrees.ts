import type { DependentEdge } from '../model/batch.ts';

/**
 * Orders the seeds and rows of a traversal so that each row comes after one it depends on, and each subtree is contiguous. A batch of
 * consecutive rows then contains most subtrees completely and removes them without writing their tombstones first.
 */
export function orderSubtrees(seeds: readonly string[], edges: readonly DependentEdge[]): readonly string[] {
  const dependents = new Map<string, string[]>();
  for (const { uid, from } of edges) {
    const known = dependents.get(from);
    if (known === undefined) dependents.set(from, [uid]);
    else known.push(uid);
  }
  const ordered = new Set<string>();
  const stack = [...seeds].reverse();
  for (let uid = stack.pop(); uid !== undefined; uid = stack.pop()) {
    if (ordered.has(uid)) continue;
    ordered.add(uid);
    for (const next of (dependents.get(uid) ?? []).reverse()) stack.push(next);
  }
  return [...ordered];
}

/**
 * When a traversal from one seed was cut off at its limit, chooses the edges to work on first. The deepest level may be incomplete, so
 * every row taken from it is tombstoned and traversed again. A narrow subtree (a chain) is taken completely; of a wide one only the top
 * levels that fit a batch, at least the first, because the subtrees below may fit one traversal and then need no tombstones.
 */
export function topLevels(
  seed: string,
  edges: readonly DependentEdge[],
  batchSize: number,
): readonly DependentEdge[] {
  const levelOf = new Map<string, number>([[seed, 0]]);
  const widths: number[] = [];
  for (const { uid, from } of edges) {
    if (levelOf.has(uid)) continue;
    const level = (levelOf.get(from) ?? 0) + 1;
    levelOf.set(uid, level);
    widths[level] = (widths[level] ?? 0) + 1;
  }
  if (widths.every((width) => width <= batchSize / 10)) return edges;
  let depth = 1;
  let rows = widths[1] ?? 0;
  while (widths[depth + 1] !== undefined && rows + (widths[depth + 1] as number) <= batchSize) {
    depth += 1;
    rows += widths[depth] as number;
  }
  return edges.filter(({ uid }) => (levelOf.get(uid) as number) <= depth);
}
