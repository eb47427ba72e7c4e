import { Problem } from '@platform/kernel';
import type { AccessGuard } from './access-guard.ts';
import {
  type Collection,
  type DefinitionVersion,
  type GroupKind,
  servedVersion,
  storageVersion,
} from './definition.ts';
import {
  type CollectionPath,
  malformedPath,
  revisionOf,
  type Subresource,
  subresourceOf,
  subresourceWords,
} from './path.ts';

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

/** A collection that a request is for. */
export interface CollectionTarget {
  readonly form: 'collection';
  readonly ref: CollectionRef;
  readonly collection: Collection;
  /** The version in the path; answers show it. */
  readonly version: string;
  /** The only name that a list or a stream shows, because its field selector asks for it; absent when it asks for none. */
  readonly selectedName?: string | undefined;
  /** By which a stream leaves out what its caller may not see; absent for a caller who sees everything, and for other requests. */
  readonly shown?: AccessGuard;
}

/** An item, or a part of one, that a request is for. */
export interface ItemTarget {
  readonly form: 'item' | Subresource;
  readonly ref: ResourceRef;
  /** The revision in `history/{revision}`; null in any other path. */
  readonly revision: number | null;
  /** Null when the kind is not registered. */
  readonly collection: Collection | null;
  /** The version in the path; answers show it. */
  readonly version: string;
  /** As {@link CollectionTarget.shown}. */
  readonly shown?: AccessGuard;
}

/** A path whose collection and names were resolved. From here to the store, this says which row or rows a request is for. */
export type ResolvedTarget = CollectionTarget | ItemTarget;

/** The definition whose version every statement of the request must compare. */
export function definitionOf({ collection }: ResolvedTarget): DefinitionVersion {
  return collection?.definition ?? null;
}

/** The name of the item, or the only one that is selected of a collection; null for any other collection, undefined for a path by uid. */
export function nameIn(target: ResolvedTarget): string | null | undefined {
  if (target.form === 'collection') return target.selectedName ?? null;
  const { ref } = target as ItemTarget;
  return ref.by === 'path' ? ref.steps.at(-1)?.name : undefined;
}

/**
 * Finds the item or collection that a path means. `collection` is the one with the group and plural of the path, null when no kind is
 * registered there. The path of a translated request may have the storage version, although it is not served: the interface has compared
 * the version that its caller named. Throws `unknown_collection`, then `malformed_path` for a wrong number of names.
 */
export function resolveTarget(
  path: CollectionPath,
  collection: Collection | null,
  isTranslated = false,
): ResolvedTarget {
  const { group, version } = path;
  if (path.form === 'uid') {
    const form = path.subresource ?? 'item';
    if (collection !== null) requireServed(collection, version, isTranslated);
    const ref: ResourceRef =
      collection === null
        ? { by: 'unregistered', uid: path.uid, apiVersion: `${group}/${version}` }
        : { by: 'uid', uid: path.uid, group: collection.group, kind: collection.kind };
    return { form, ref, revision: path.revision, collection, version };
  }
  if (collection === null || collection.ancestors === null) throw unknownCollection(path);
  requireServed(collection, version, isTranslated);
  return resolveNames(path.names, collection, collection.ancestors, version);
}

/**
 * As many names as the collection has ancestors mean the collection, one more means an item, and a keyword after that a subresource.
 * Only the number of names decides, so a resource may have the name of a keyword.
 */
function resolveNames(
  names: readonly string[],
  collection: Collection,
  ancestors: readonly GroupKind[],
  version: string,
): ResolvedTarget {
  const { group, kind, plural } = collection;
  const depth = ancestors.length;
  if (names.length < depth) {
    throw malformedPath(`${plural} takes ${depth} ancestor name(s), the path has ${names.length}.`);
  }
  const steps = ancestors.map((ancestor, index) => stepTo(ancestor, names[index] ?? ''));
  const [name, keyword] = [names[depth], names[depth + 1]];
  if (name === undefined) {
    return { form: 'collection', ref: { group, kind, ancestors: steps }, collection, version };
  }
  const ref: ResourceRef = { by: 'path', steps: [...steps, stepTo(collection, name)] };
  if (keyword === undefined) return { form: 'item', ref, revision: null, collection, version };
  const form = subresourceOf(keyword);
  const revision = form === 'history' ? revisionOf(names.slice(depth + 2)) : null;
  if (form === null || (names.length > depth + 2 && revision === null)) {
    throw malformedPath(`${plural} takes ${depth + 1} name(s), then ${subresourceWords}.`);
  }
  return { form, ref, revision, collection, version };
}

/** The refusal of an item that does not exist. */
export function notFound(): Problem {
  return new Problem('not_found', 'There is no such resource.');
}

/** The refusal of a collection below an ancestor that does not exist. */
export function ancestorMissing(): Problem {
  return new Problem('not_found', 'An ancestor that the path names does not exist.');
}

function stepTo({ group, kind }: GroupKind, name: string): PathStep {
  return { group, kind, name };
}

function requireServed(collection: Collection, version: string, isTranslated: boolean): void {
  const { group, plural } = collection;
  if (isTranslated && storageVersion(collection).name === version) return;
  if (servedVersion(collection, version) === null) throw unknownCollection({ group, version, plural });
}

function unknownCollection(path: { group: string; version: string; plural: string }): Problem {
  const { group, version, plural } = path;
  return new Problem('unknown_collection', `No collection ${group}/${version}/${plural} is served.`);
}
