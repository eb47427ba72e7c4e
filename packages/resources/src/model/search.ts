import type { RowGrant } from '@platform/access';
import type { GroupKind } from './definition.ts';
import { type LabelSelector, matchesLabels } from './label-selector.ts';
import { groupOf } from './names.ts';
import type { Resource } from './resource.ts';

/** The rows of every kind that a caller may list. */
export interface SearchAccess {
  /** The version of roles and bindings. */
  readonly version: string;
  readonly grants: readonly RowGrant[];
  /** The controller that also lists the kinds whose definitions name it; null for other callers. */
  readonly controllerId: string | null;
}

/** The rows that a search may find, whatever they are called. */
export interface SearchScope {
  readonly labels: LabelSelector;
  /** The kind, of every group when `group` is null; null for every kind. */
  readonly kind: { readonly group: string | null; readonly kind: string } | null;
  /** Null for a caller who sees everything. */
  readonly access: SearchAccess | null;
}

/** Which names match: `whole` the text itself, `prefix` longer ones that begin with it, `part` the others that contain it. */
export type NameMatch = 'whole' | 'prefix' | 'part';

/** The names that a search looks for. */
export interface SearchedNames {
  readonly match: NameMatch;
  /** Not empty; characters of names only. */
  readonly text: string;
}

/** A point in the order of a search: by name, then by uid. */
export interface SearchPosition {
  readonly name: string;
  readonly uid: string;
}

/** Whether a name matches. */
export function matchesName({ match, text }: SearchedNames, name: string): boolean {
  if (match === 'whole') return name === text;
  const at = name.indexOf(text);
  return match === 'prefix' ? at === 0 && name !== text : at > 0;
}

/** Whether a row is in the scope of a search, without regard to access. */
export function isInScope({ labels, kind }: SearchScope, row: Resource): boolean {
  const isOfKind =
    kind === null ||
    (kind.kind === row.kind && (kind.group === null || kind.group === groupOf(row.apiVersion)));
  return isOfKind && matchesLabels(labels, row.labels);
}

/** The facts about a row that decide whether the caller of a search may list it. */
export interface SearchedRow extends GroupKind {
  readonly uid: string;
  readonly name: string;
  readonly plural: string | null;
  readonly within: readonly string[];
  /** The controllers that the definition of its kind names. */
  readonly controllerIds: readonly string[];
}

/** Whether the caller of a search may list a row. */
export function maySearch({ grants, controllerId }: SearchAccess, row: SearchedRow): boolean {
  if (controllerId !== null && row.controllerIds.includes(controllerId)) return true;
  if (row.plural === null) return false;
  return grants.some(
    ({ group, plural, scope, name }) =>
      (group === '*' || group === row.group) &&
      (plural === '*' || plural === row.plural) &&
      (name === null || name === row.name) &&
      (scope === null || scope === row.uid || row.within.includes(scope)),
  );
}
