import { type ResourceDocument, readDocument } from '../documents/document.ts';
import { Failure } from '../failure.ts';
import type { TypedItem, TypedKind } from './typed-kind.ts';
import { typedKinds } from './typed-kind.ts';
import type { LocatedItem } from './typed-target.ts';

/** The version of typed resources in documents. The API has no envelope for them; the command line makes one. */
export const typedApiVersion = 'platform.dev/v1alpha1';

/** Members of answers that have a place of their own in a document. */
const placed = ['name', 'uid', 'revision', 'created_at', 'project'];

/** A typed resource as a document, in the form that `apply` reads. It contains no secrets, because answers to reads have none. */
export interface TypedDocument {
  readonly in?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: object;
}

/** The document of an item. */
export function documentOfItem(kind: TypedKind, { ancestors, item }: LocatedItem): TypedDocument {
  const spec = specOf(kind, item);
  const known = [...placed, ...kind.specFields];
  const { status: own, ...rest } = item;
  const others = Object.entries(rest).filter(([member]) => !known.includes(member));
  const status = { ...Object.fromEntries(others), ...(own as object | undefined) };
  return {
    ...(ancestors.length === 0 ? {} : { in: ancestors.join('/') }),
    apiVersion: typedApiVersion,
    kind: kind.kind,
    metadata: {
      name: item.name,
      uid: item['uid'],
      revision: item['revision'],
      creationTimestamp: item.created_at,
    },
    spec,
    ...(Object.keys(status).length === 0 ? {} : { status }),
  };
}

/** The fields that users decide about. The spec of an extension is next to its type. */
export function specOf(kind: TypedKind, item: TypedItem): Record<string, unknown> {
  const fields = kind.specFields.filter((name) => name !== 'spec' && item[name] !== undefined);
  const nested = kind.specFields.includes('spec') ? (item['spec'] as Record<string, unknown>) : {};
  return { ...Object.fromEntries(fields.map((name) => [name, item[name]])), ...nested };
}

/** The body of a POST or PUT with this spec. */
export function bodyOf(
  kind: TypedKind,
  name: string | undefined,
  spec: Readonly<Record<string, unknown>>,
): object {
  const named = name === undefined || kind.namedByServer ? {} : { name };
  if (!kind.specFields.includes('spec')) return { ...named, ...spec };
  const { type, ...nested } = spec;
  return { ...named, type, spec: nested };
}

/** The typed kind of a document; undefined for a resource. */
export function typedKindOfDocument({
  apiVersion,
  kind,
}: Pick<ResourceDocument, 'apiVersion' | 'kind'>): TypedKind | undefined {
  if (apiVersion.split('/')[0] !== 'platform.dev') return undefined;
  return typedKinds.find((known) => known.kind === kind);
}

/** The project and the spec of a typed document. Throws a Failure for what such a document cannot contain. */
export function readTypedDocument(
  document: ResourceDocument,
  kind: TypedKind,
  within: readonly string[],
): { readonly project: string | undefined; readonly spec: Record<string, unknown> } {
  const { source, apiVersion, metadata, whole, ancestors } = document;
  const fail = (problem: string, hint: string) => new Failure('invalid', `${source}: ${problem}`, hint);
  if (apiVersion !== typedApiVersion)
    throw fail(`version ${apiVersion} of ${kind.kind} is not served`, `use ${typedApiVersion}`);
  const known = ['name', 'uid', 'revision', 'creationTimestamp'];
  const unknown = [
    ...Object.keys(metadata)
      .filter((member) => !known.includes(member))
      .map((member) => `/metadata/${member}`),
    ...Object.keys(whole)
      .filter((member) => !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(member))
      .map((member) => `/${member}`),
  ];
  if (unknown.length > 0) throw fail(`${unknown.join(', ')}: not a field of a ${kind.kind}`, 'remove it');
  const parents = ancestors ?? (kind.inProject ? within : []);
  if (kind.inProject && parents.length !== 1) {
    // A deployment may have no name.
    const label = [kind.kind.toLowerCase(), document.name].join(' ').trim();
    throw parents.length === 0
      ? fail(`the project of ${label} is missing`, 'add "in: <project>" to the document, or use --in')
      : fail(
          `${label} is directly below its project, but "in" is ${parents.join('/')}`,
          'name the project alone',
        );
  }
  if (!kind.inProject && parents.length > 0) throw fail(`a ${kind.kind} has no parent`, 'remove "in"');
  const spec = document.spec ?? {};
  if (typeof spec !== 'object' || Array.isArray(spec)) throw fail('/spec: must be an object', 'correct it');
  return { project: parents[0], spec: spec as Record<string, unknown> };
}

/** Reads a document that may be a deployment without a name, which the server gives. */
export function readAnyDocument(value: unknown, source: string): ResourceDocument {
  const { apiVersion, kind, metadata } = (value ?? {}) as Record<string, unknown>;
  const isDeployment = apiVersion === typedApiVersion && kind === 'Deployment';
  const { name } = (metadata ?? {}) as Record<string, unknown>;
  if (!isDeployment || name !== undefined) return readDocument(value, source);
  const named = readDocument(
    { ...(value as object), metadata: { ...(metadata as object), name: '-' } },
    source,
  );
  return { ...named, name: '', metadata: { ...(metadata as object) } };
}
