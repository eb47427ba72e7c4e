import { groupOf } from './names.ts';
import type { JsonText } from './resource.ts';

/** The API group of the platform's own kinds; no definition may claim it (its subdomains are free). */
export const platformGroup = 'platform.dev';
/** The one version of the built-in kinds. */
export const platformVersion = 'v1alpha1';

/** Ancestors of a resource, at most (specification, "Stored row" invariant 4): the depth D of its kind. */
export const maxParentChain = 32;

/** A kind in a group; versions do not matter for identity. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A schema as raw text, with the SHA-256 of the text: its compiled form is kept under that. */
export interface SchemaRef {
  readonly key: string;
  readonly schema: JsonText;
}

/** One declared version of a kind. */
export interface KindVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** JSON Schema of `spec`; null when the version declares none. */
  readonly schema: SchemaRef | null;
}

/** What a request to a collection is judged by: a definition with its parent chain resolved. */
export interface Collection extends GroupKind {
  readonly plural: string;
  /** The definition's row; null for the built-in kinds, which have none. */
  readonly definition: {
    readonly uid: string;
    readonly version: string;
    readonly terminating: boolean;
  } | null;
  /** Kinds of the ancestors, root-most first; empty for a root-scoped kind, null when the definition of one is missing. */
  readonly ancestors: readonly GroupKind[] | null;
  readonly versions: readonly KindVersion[];
  readonly allowedStatusControllerIds: readonly string[];
}

/** The version that writes must use. */
export function storageVersion(collection: Collection): KindVersion {
  const version = collection.versions.find((candidate) => candidate.storage);
  if (version === undefined) throw new Error(`${collection.plural} has no storage version`);
  return version;
}

/** The version of that name when requests may address it, else null. */
export function servedVersion(collection: Collection, name: string): KindVersion | null {
  return collection.versions.find((version) => version.name === name && version.served) ?? null;
}

/** Whether the row is of that kind, at any version. */
export function isOfKind(
  row: { readonly apiVersion: string; readonly kind: string },
  { group, kind }: GroupKind,
): boolean {
  return row.kind === kind && groupOf(row.apiVersion) === group;
}

/** The collection of a root-scoped built-in kind, which has one version and no schema. */
export function builtInCollection(plural: string, kind: string): Collection {
  return {
    group: platformGroup,
    kind,
    plural,
    definition: null,
    ancestors: [],
    versions: [{ name: platformVersion, served: true, storage: true, schema: null }],
    allowedStatusControllerIds: [],
  };
}
