import type { Reached } from '../model/batch.ts';

/**
 * Puts what was reached into the order in which it is collected: each row after one it was reached from, and whole subtrees one
 * after the other. A batch that takes the next rows of this order then holds most subtrees whole and removes them without
 * ever writing a tombstone; level by level, every inner row would be written twice before it is removed.
 */
export function orderRegion(seeds: readonly string[], reached: readonly Reached[]): readonly string[] {
  const dependents = new Map<string, string[]>();
  for (const { uid, from } of reached) {
    const known = dependents.get(from);
    if (known === undefined) dependents.set(from, [uid]);
    else known.push(uid);
  }
  const placed = new Set<string>();
  const stack = [...seeds].reverse();
  for (let uid = stack.pop(); uid !== undefined; uid = stack.pop()) {
    if (placed.has(uid)) continue;
    placed.add(uid);
    for (const next of (dependents.get(uid) ?? []).reverse()) stack.push(next);
  }
  for (const seed of seeds) placed.delete(seed);
  return [...placed];
}

/**
 * The part of a reading that ended early, from one seed, which to begin with. What is at its lower end is not known to be whole, so every row
 * of it that is taken must be tombstoned and gone on from. That is worth it for all of it when it is narrow (a chain that is longer than one
 * reading), else only for its top levels, at least the first: subtrees below those may fit a reading whole and
 * then go without being tombstoned at all.
 */
export function topOfRegion(
  seed: string,
  reached: readonly Reached[],
  batchSize: number,
): readonly Reached[] {
  const levelOf = new Map<string, number>([[seed, 0]]);
  const widths: number[] = [];
  for (const { uid, from } of reached) {
    if (levelOf.has(uid)) continue;
    const level = (levelOf.get(from) ?? 0) + 1;
    levelOf.set(uid, level);
    widths[level] = (widths[level] ?? 0) + 1;
  }
  if (widths.every((width) => width <= batchSize / 10)) return reached;
  let depth = 1;
  let rows = widths[1] ?? 0;
  while (widths[depth + 1] !== undefined && rows + (widths[depth + 1] as number) <= batchSize) {
    depth += 1;
    rows += widths[depth] as number;
  }
  return reached.filter(({ uid }) => (levelOf.get(uid) as number) <= depth);
}
