import type { JsonObject, JsonText } from '@platform/resources';

/** A kind at one version, as the list of the documents needs it. */
export interface OpenApiEntry {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** `create` only, for reviews. */
  readonly verbs: 'all' | 'read' | 'create';
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  /** Whether objects are deleted as a collection, as Namespaces are not. */
  readonly hasDeleteCollection: boolean;
  /** Whether it takes strategic merge patches, as built-in kinds do. */
  readonly isBuiltIn: boolean;
  /** A text that changes with everything that this says about the kind. */
  readonly fingerprint: string;
}

/** A kind at one version, as the OpenAPI documents describe it. */
export interface OpenApiKind extends OpenApiEntry {
  /** The structural schema of whole objects; see `objectSchema`. It is only read for the documents that are asked for. */
  schema(): JsonObject;
}

/** One version of OpenAPI. A document is its head, the paths of the kinds, `between`, their schemas and its end; commas separate them. */
export interface OpenApiFormat {
  head(version: string): JsonText;
  paths(kind: OpenApiEntry): JsonText;
  /** With the schemas that every document has. */
  readonly between: JsonText;
  schemas(kind: OpenApiKind): JsonText;
  readonly end: JsonText;
}

/** The place of a group and version below `/openapi/v3`: `api/v1`, `apis/example.dev/v1`. */
export function documentPath({ group, version }: Pick<OpenApiEntry, 'group' | 'version'>): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** The component of a kind: `dev.example.v1.Widget`, as for custom resources of Kubernetes. */
export function componentOf({
  group,
  version,
  kind,
}: Pick<OpenApiEntry, 'group' | 'version' | 'kind'>): string {
  if (group === '') return `io.k8s.api.core.${version}.${kind}`;
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/** The component of the lists of a kind, by their own kind. */
export function listComponentOf({
  listKind: kind,
  ...entry
}: Pick<OpenApiEntry, 'group' | 'version' | 'listKind'>): string {
  return componentOf({ ...entry, kind });
}

/** The kinds of each place. */
export function byDocument<T extends OpenApiEntry>(kinds: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const documents = new Map<string, T[]>();
  for (const kind of kinds) {
    const path = documentPath(kind);
    const others = documents.get(path);
    if (others === undefined) documents.set(path, [kind]);
    else others.push(kind);
  }
  return documents;
}
