import { labelOf } from '../kinds/target.ts';
import { ageOf } from '../output/age.ts';
import type { Entry, Inventory, Relation } from './inventory.ts';

/** A resource with everything below it and that it owns, one line each. */
export function drawTree(inventory: Inventory, root: Entry, now: number): string {
  const seen = new Set<string>();
  const draw = (entry: Entry, how: string, stem: string): string[] => {
    const { uid } = entry.resource.metadata;
    const again = seen.has(uid);
    seen.add(uid);
    const line = `${labelOf(entry.kind.kind, entry.names)}${how}${again ? '  (see above)' : stateOf(entry, now)}`;
    const below = again ? [] : inventory.below(uid);
    return [
      line,
      ...below.flatMap((relation, index) => {
        const last = index === below.length - 1;
        const [first, ...rest] = draw(relation.entry, `  ${howOf(relation)}`, `${stem}   `);
        const indent = last ? '   ' : '│  ';
        return [`${last ? '└─ ' : '├─ '}${first}`, ...rest.map((text) => `${indent}${text}`)];
      }),
    ];
  };
  return `${draw(root, '', '').join('\n')}\n`;
}

/** How one resource hangs on another, for a person. */
export function howOf({ by, blocking }: Relation): string {
  if (by === 'child') return '[child, blocks]';
  return blocking ? '[owned, blocks]' : '[owned, does not block]';
}

function stateOf({ resource: { metadata } }: Entry, now: number): string {
  const { deletionTimestamp, finalizers } = metadata;
  if (deletionTimestamp === undefined) return '';
  const held = finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`;
  return `  deleting for ${ageOf(deletionTimestamp, now)}${held}`;
}
