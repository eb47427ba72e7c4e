import { labelOf } from '../kinds/target.ts';
import { ageOf } from '../output/format.ts';
import type { Entry, Relation, ResourceIndex } from './resource-index.ts';

/** Draws a resource with everything below it and everything it owns, one line each. */
export function drawTree(index: ResourceIndex, root: Entry, now: number): string {
  const seen = new Set<string>();
  const draw = (entry: Entry, relation: string): string[] => {
    const { uid } = entry.resource.metadata;
    const isRepeated = seen.has(uid);
    seen.add(uid);
    const line = `${labelOf(entry.kind.kind, entry.names)}${relation}${isRepeated ? '  (see above)' : stateOf(entry, now)}`;
    const below = isRepeated ? [] : index.below(uid);
    return [
      line,
      ...below.flatMap((child, position) => {
        const last = position === below.length - 1;
        const [first, ...rest] = draw(child.entry, `  ${relationOf(child)}`);
        const indent = last ? '   ' : '│  ';
        return [`${last ? '└─ ' : '├─ '}${first}`, ...rest.map((text) => `${indent}${text}`)];
      }),
    ];
  };
  return `${draw(root, '').join('\n')}\n`;
}

/** The relation of a child or dependent to its parent or owner. */
export function relationOf({ by, blocking }: Relation): string {
  if (by === 'child') return '[child, blocks]';
  return blocking ? '[owned, blocks]' : '[owned, does not block]';
}

function stateOf({ resource: { metadata } }: Entry, now: number): string {
  const { deletionTimestamp, finalizers } = metadata;
  if (deletionTimestamp === undefined) return '';
  const suffix = finalizers.length === 0 ? '' : `, finalizers: ${finalizers.join(', ')}`;
  return `  deleting for ${ageOf(deletionTimestamp, now)}${suffix}`;
}
