import type { Json, TestApi } from './api.ts';

/** The group of the kinds that tests work with: Farm at the root, Field below it, Row below that, Plant at depth 3. */
export const group = 'farm.example';
export const v1 = `${group}/v1`;

/** The members in which definitions of these tests may differ. */
export interface DefinitionChanges {
  readonly parent?: { readonly apiVersion: string; readonly kind: string } | null;
  readonly versions?: readonly object[];
  readonly allowedStatusControllerIds?: readonly string[];
}

/** The body that registers a kind; its plural is the lower-cased kind and an s. */
export function definition(kind: string, changes: DefinitionChanges = {}): Json {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, kind, plural, versions: [{ name: 'v1', served: true, storage: true }], ...changes },
  };
}

/** The collection of definitions, as a path. */
export const definitions = 'platform.dev/v1alpha1/resourcedefinitions';
/** The collection of Organizations, as a path. */
export const organizations = 'platform.dev/v1alpha1/organizations';

/** Registers a kind and returns the stored definition. */
export async function register(api: TestApi, kind: string, changes: DefinitionChanges = {}): Promise<Json> {
  const { body } = await api.post(definitions, definition(kind, changes)).expect(201);
  return body;
}

/** Registers Farm, Field, Row and Plant, each below the one before. */
export async function registerTree(api: TestApi, changes: DefinitionChanges = {}): Promise<void> {
  await register(api, 'Farm', changes);
  await register(api, 'Field', { ...changes, parent: { apiVersion: v1, kind: 'Farm' } });
  await register(api, 'Row', { ...changes, parent: { apiVersion: v1, kind: 'Field' } });
  await register(api, 'Plant', { ...changes, parent: { apiVersion: v1, kind: 'Row' } });
}

/** The body of a new resource of one of these kinds. */
export function resource(kind: string, name: string, changes: Json = {}): Json {
  const { metadata, ...rest } = changes;
  return { apiVersion: v1, kind, metadata: { name, ...metadata }, ...rest };
}

/** Creates a resource below the named ancestors and returns it as answered. */
export async function given(
  api: TestApi,
  kind: string,
  names: readonly string[],
  changes: Json = {},
): Promise<Json> {
  const name = names.at(-1) as string;
  const path = [`${v1}/${kind.toLowerCase()}s`, ...names.slice(0, -1)].join('/');
  const { body } = await api.post(path, resource(kind, name, changes)).expect(201);
  return body;
}

/** The body of a PUT that would change nothing: what was read, without what the server keeps. */
export function sentBack(read: Json, changes: Json = {}): Json {
  const { status: _status, ...rest } = read;
  const { metadata, ...others } = changes;
  return { ...rest, metadata: { ...rest.metadata, ...metadata }, ...others };
}

/** A reference to a stored resource as an owner. */
export function ownerOf(read: Json, changes: Json = {}): Json {
  return {
    apiVersion: read.apiVersion,
    kind: read.kind,
    name: read.metadata.name,
    uid: read.metadata.uid,
    ...changes,
  };
}
