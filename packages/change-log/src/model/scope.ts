import { type GroupKind, groupOf, positionOf } from '@platform/resources';
import type { ChangeEntry } from './change-entry.ts';
import type { ListPlace } from './initial-page.ts';

/** The resources that a stream shows. */
export interface Scope {
  /** Null for every kind. */
  readonly kind: GroupKind | null;
  /** The ancestor that the stream is bound to: it ends when this one is removed. Null when nothing is above. */
  readonly boundTo: string | null;
  /** Only the resource of this name. */
  readonly name: string | null;
  /** Only this resource. */
  readonly uid: string | null;
  /** Names of the ancestors, root first, in a list across parents; null for any name, or where the bound parent says it. */
  readonly ancestors: readonly (string | null)[] | null;
  /** Only resources with so many ancestors, since a kind that is registered again may have another parent; null for any number. */
  readonly depth: number | null;
}

/** The key under which watchers of a scope are kept; {@link keysOf} gives those that a change concerns. */
export function keyOf({ kind, boundTo, uid }: Scope): string {
  if (uid !== null) return `uid ${uid}`;
  return kind === null ? '*' : collectionKey(kind.group, kind.kind, boundTo);
}

/** The keys of the scopes that may show a change: a few, however many watchers there are. */
export function keysOf({ resource }: ChangeEntry): readonly string[] {
  const group = groupOf(resource.apiVersion);
  return [
    '*',
    `uid ${resource.uid}`,
    collectionKey(group, resource.kind, null),
    ...resource.ancestorUids.map((uid) => collectionKey(group, resource.kind, uid)),
  ];
}

/** Whether a stream of this scope shows the resource of a change. */
export function isInScope(
  { kind, boundTo, name, uid, ancestors, depth }: Scope,
  { resource }: ChangeEntry,
): boolean {
  if (uid !== null) return resource.uid === uid;
  if (kind !== null && (resource.kind !== kind.kind || groupOf(resource.apiVersion) !== kind.group))
    return false;
  if (depth !== null && resource.ancestors.length !== depth) return false;
  if (boundTo !== null && !resource.ancestorUids.includes(boundTo)) return false;
  if (name !== null && resource.name !== name) return false;
  return (
    ancestors === null ||
    ancestors.every((wanted, at) => wanted === null || wanted === resource.ancestors[at])
  );
}

/**
 * Orders the places of a scope as its list does: by name; across parents by the names of the ancestors, then by name and uid; all kinds
 * together by uid. Names have no NUL.
 */
export function listKey({ kind, ancestors }: Pick<Scope, 'kind' | 'ancestors'>, place: ListPlace): string {
  if (kind === null) return place.uid;
  if (ancestors === null) return place.name;
  const { path, name, uid } = 'path' in place ? place : positionOf(place);
  return [path, name, uid].join('\0');
}

function collectionKey(group: string, kind: string, boundTo: string | null): string {
  return `${group}/${kind} ${boundTo ?? ''}`;
}
