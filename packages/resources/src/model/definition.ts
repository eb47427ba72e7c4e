import { createHash } from 'node:crypto';
import { groupOf } from './names.ts';
import type { JsonText } from './resource.ts';

/** The API group of the platform's own kinds; no definition may claim it (its subdomains are free). */
export const platformGroup = 'platform.dev';
/** The only version of the built-in kinds. */
export const builtInVersion = 'v1alpha1';
/** The `apiVersion` of the built-in kinds. */
export const platformApiVersion = `${platformGroup}/${builtInVersion}`;

/** The most ancestors of a resource, and so the greatest depth of a kind. */
export const maxParentChain = 32;

/** A kind in a group; versions do not matter for identity. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A schema as raw text, with the SHA-256 of the text as the key of its compiled form. */
export interface SchemaRef {
  readonly key: string;
  readonly schema: JsonText;
}

/**
 * The schema with this text; null for a version that declares none. The key depends on the text alone: after a failover another schema may
 * get a revision that was used before.
 */
export function schemaRef(schema: JsonText | null | undefined): SchemaRef | null {
  if (schema == null) return null;
  return { key: createHash('sha256').update(schema, 'utf8').digest('base64url'), schema };
}

/** One declared version of a kind. */
export interface KindVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** JSON Schema of `spec`; null when the version declares none. */
  readonly schema: SchemaRef | null;
  /** JSON paths of the fields of `spec` that lists may be selected by. */
  readonly selectableFields: readonly string[];
}

/**
 * The definition that a request was resolved with. Every statement of the request compares it with the stored one, so a definition
 * change takes effect for the next request on every replica without another round trip. Null when there is nothing to compare:
 * built-in kinds, and kinds that are not registered.
 *
 * `version` must have another value after every commit that creates, tombstones or removes the definition or changes its spec (SQL by
 * hand included), and after a definition above it appears, disappears or names another parent. It must never return to an earlier
 * value, except after a failover that lost a change, or a restore. It has no order.
 */
export type DefinitionVersion = { readonly uid: string; readonly version: string } | null;

/** A collection as requests are validated against it: a kind with its chain of parents resolved. */
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

/** The fields of `spec` that a version may be selected by, as field selectors name them: `spec.color`. */
export function selectableFields({ versions }: Collection, name: string): readonly string[] {
  const version = versions.find((candidate) => candidate.name === name);
  return version?.selectableFields.map((jsonPath) => jsonPath.slice(1)) ?? [];
}

/** Whether the row is of that kind, at any version. */
export function isOfKind(
  row: { readonly apiVersion: string; readonly kind: string },
  { group, kind }: GroupKind,
): boolean {
  return row.kind === kind && groupOf(row.apiVersion) === group;
}

/** The collection of a built-in kind, which has one version and no schema; `ancestors` as in {@link Collection}. */
export function builtInCollection(
  plural: string,
  kind: string,
  ancestors: readonly GroupKind[] = [],
): Collection {
  return {
    group: platformGroup,
    kind,
    plural,
    definition: null,
    ancestors: ancestors.map(({ group, kind: name }) => ({ group, kind: name })),
    versions: [{ name: builtInVersion, served: true, storage: true, schema: null, selectableFields: [] }],
    allowedStatusControllerIds: [],
  };
}
