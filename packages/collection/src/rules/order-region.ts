import type { Reached } from '../ports/collection-store.ts';

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
