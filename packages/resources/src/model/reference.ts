import type { GroupKind } from './definition.ts';

/** One step of a structural path: a kind, and the name below the step before. */
export interface PathStep extends GroupKind {
  readonly name: string;
}

/** Where a collection is: its kind, below the named ancestors (root-most first). */
export interface CollectionRef extends GroupKind {
  readonly ancestors: readonly PathStep[];
}

/** An item by its place in the hierarchy; the last step is the item. */
export interface PathRef {
  readonly by: 'path';
  readonly steps: readonly PathStep[];
}

/** An item by UID, whatever became of its ancestors; a row of another kind does not match. */
export interface UidRef extends GroupKind {
  readonly by: 'uid';
  readonly uid: string;
}

/**
 * An item by UID whose kind no definition claims any more (contract 2.12); it must be stored at `apiVersion`. A row of a built-in kind, or
 * of one that a definition claims under another plural, does not match: its collection is the only way to it.
 */
export interface OrphanRef {
  readonly by: 'orphan';
  readonly uid: string;
  readonly apiVersion: string;
}

/** How a request names one item. */
export type ResourceRef = PathRef | UidRef | OrphanRef;
