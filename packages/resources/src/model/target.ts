import type { AccessGuard } from './access-guard.ts';
import type { Collection, DefinitionVersion, GroupKind } from './definition.ts';

/** One step of a structural path: a kind, and a name below the step before it. */
export interface PathStep extends GroupKind {
  readonly name: string;
}

/** A reference to rows that a request may use only in part. Absent for callers that bindings do not restrict. */
interface Guarded {
  readonly access?: AccessGuard;
}

/** A collection: its kind, below the named ancestors (root-most first). */
export interface CollectionRef extends GroupKind, Guarded {
  readonly ancestors: readonly PathStep[];
}

/** An item by its place in the hierarchy; the last step is the item. */
export interface PathRef extends Guarded {
  readonly by: 'path';
  readonly steps: readonly PathStep[];
}

/** An item by UID, even when an ancestor is gone. A row of another kind does not match. */
export interface UidRef extends GroupKind, Guarded {
  readonly by: 'uid';
  readonly uid: string;
}

/**
 * An item by UID whose kind is no longer registered (docs/http.md, "Paths"). It must be stored at `apiVersion`.
 * Rows of built-in and of registered kinds do not match: they are found through their collection only.
 */
export interface UnregisteredRef {
  readonly by: 'unregistered';
  readonly uid: string;
  readonly apiVersion: string;
}

/** The ways in which a request names one item. */
export type ResourceRef = PathRef | UidRef | UnregisteredRef;

/** The parts of an item that have a path of their own. */
export type Subresource =
  | 'status'
  | 'finalizers'
  | 'deletionBlockers'
  | 'explain'
  | 'deletionPlan'
  | 'history'
  | 'restore';

/** A collection that a request is for. */
export interface CollectionTarget {
  readonly form: 'collection';
  readonly ref: CollectionRef;
  readonly collection: Collection;
  /** The version in the path; answers show it. */
  readonly version: string;
}

/** An item, or a part of one, that a request is for. */
export interface ItemTarget {
  readonly form: 'item' | Subresource;
  readonly ref: ResourceRef;
  /** Of `history/{revision}`; null in any other path. */
  readonly revision: number | null;
  /** Null when the kind is not registered. */
  readonly collection: Collection | null;
  /** The version in the path; answers show it. */
  readonly version: string;
}

/** A path whose collection and names were resolved. From here to the store, this says which row or rows a request is for. */
export type ResolvedTarget = CollectionTarget | ItemTarget;

/** Every form of path. */
export type TargetForm = ResolvedTarget['form'] | 'pendingDeletion';

/** The definition whose version every statement of the request must compare. */
export function definitionOf({ collection }: ResolvedTarget): DefinitionVersion {
  return collection?.definition ?? null;
}
