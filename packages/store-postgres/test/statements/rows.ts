import type { OwnerReference, PathStep } from '@platform/resources';

/** The rows that `seed.ts` makes, by number, for the operations that look for them. */

/** A uid of one kind of row: the kind is a hexadecimal digit, the row a number. */
export function uidOf(space: string, n: number): string {
  return `00000000-0000-7000-800${space}-${n.toString(16).padStart(12, '0')}`;
}

/** SQL for {@link uidOf} of a number that is SQL. */
export function uidSql(space: string, n: string): string {
  return `('00000000-0000-7000-800${space}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/**
 * The discriminator of one kind of row, which a letter stands for. In no order, as generated ones are: if rows lay in the table in the order
 * of their discriminators, a walk along the whole index of discriminators would look as cheap as a look-up of the children of a wide parent.
 */
export function discriminatorOf(letter: string, n: number): string {
  return letter + [...n.toString().padStart(7, '0')].reverse().join('');
}

/** SQL for {@link discriminatorOf} of a number that is SQL. */
export function discriminatorSql(letter: string, n: string): string {
  return `'${letter}' || reverse(lpad((${n})::text, 7, '0'))`;
}

/** Root rows. The children of each are {@link part}s. */
export const widgets = 500;
/** The Widget that every eighth Part is a child of. */
export const hotParent = 0;
/** The Widget that one Part in forty names as its owner. */
export const hotOwner = 1;
/** How many levels the deepest path has: the API allows a chain of 32 parents. */
export const deepest = 33;

const group = 'example.dev';

/** A root row. */
export function widget(n: number): PathStep {
  return { group, kind: 'Widget', name: `w${n}` };
}

/** Where a Part is: `hotParent` has every eighth. */
export function parentOf(n: number): number {
  return n % 8 === 0 ? hotParent : 1 + (n % (widgets - 1));
}

/** A row below a Widget. Those up to number 9 are live in every state of the table. */
export function part(n: number): readonly PathStep[] {
  return [widget(parentOf(n)), { group, kind: 'Part', name: `p${n}` }];
}

/** The first `depth` steps of the one deep path. */
export function levels(depth: number): readonly PathStep[] {
  return Array.from({ length: depth }, (_, index) => ({ group, kind: `Level${index + 1}`, name: 'level' }));
}

/** A reference to a Widget as its owner. */
export function ownedBy(n: number, blockOwnerDeletion = true): OwnerReference {
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    name: `w${n}`,
    uid: uidOf('1', n),
    blockOwnerDeletion,
  };
}
