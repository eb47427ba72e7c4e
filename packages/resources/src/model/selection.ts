import type { AccessGuard } from './access-guard.ts';
import { type FieldSelector, matchesFields } from './field-selector.ts';
import { type LabelSelector, matchesLabels } from './label-selector.ts';
import type { Resource } from './resource.ts';
import type { CollectionRef } from './target.ts';

/** In place of the name of an ancestor: every name. No resource can have it. */
export const anyName = '-';

/** Whether a collection is a list across parents. */
export function isAcrossParents({ ancestors }: CollectionRef): boolean {
  return ancestors.some(({ name }) => name === anyName);
}

/** Which resources of a collection are listed. */
export interface Selection {
  /** Ancestors named {@link anyName} match every name. */
  readonly collection: CollectionRef;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  /** The uids of resources that the caller sees with everything below them; null for a caller who sees everything. */
  readonly scopes: readonly string[] | null;
  /** Compared by the statement that reads a page; absent where the access of the caller is checked otherwise. */
  readonly guard?: AccessGuard | undefined;
}

/** Where a page begins: after this resource in the order of the ancestors' names, then the name. */
export interface PagePosition {
  /** The names of the ancestors, joined by commas, at most {@link maxPathLength} characters. */
  readonly path: string;
  readonly name: string;
  readonly uid: string;
}

/** Where a page of tombstones begins: after this one in the order of deletion. */
export interface DeletionPosition {
  /** The deletion timestamp, RFC 3339. */
  readonly time: string;
  readonly uid: string;
}

/** An entry of an index has at most 2,700 bytes; names beyond this length do not count for the order. */
export const maxPathLength = 1400;

/** The names of ancestors as one text. The comma sorts before every character of a name, so texts have the order of the names. */
export function ancestorPath(names: readonly string[]): string {
  return names.join(',').slice(0, maxPathLength);
}

/** The position of a resource in lists. */
export function positionOf({ ancestors, name, uid }: Resource): PagePosition {
  return { path: ancestorPath(ancestors), name, uid };
}

/** Whether a resource of the kind is in a selection. */
export function isSelected(
  { collection, labels, fields, scopes }: Selection,
  resource: Resource,
  within: readonly string[] = resource.ancestorUids,
): boolean {
  return (
    collection.ancestors.every(({ name }, at) => name === anyName || name === resource.ancestors[at]) &&
    matchesLabels(labels, resource.labels) &&
    matchesFields(fields, resource) &&
    (scopes === null || [resource.uid, ...within].some((uid) => scopes.includes(uid)))
  );
}
