import type { JsonText, Resource } from '@platform/resources';
import { apiVersionOf, type KubernetesKind } from '../model/kind.ts';
import { type ObjectOptions, renderMetadata, renderObject } from '../model/render-object.ts';
import { type IncludeObject, TableForm } from './table.ts';

/** The forms in which objects may be answered. */
export type Representation =
  | { readonly as: 'object' }
  | { readonly as: 'metadata' }
  | { readonly as: 'table'; readonly include: IncludeObject };

/** Renders objects of one kind in one representation. */
export interface ObjectRenderer {
  readonly mediaType: string;
  /** The answer with one object. */
  one(resource: Resource, options?: ObjectOptions): JsonText;
  /** The beginning of a list, its items, and its end. */
  listHead(metadata: object): JsonText;
  item(resource: Resource): JsonText;
  readonly listEnd: JsonText;
  /** A list without items: clients of streams make a list of it and of the initial events. */
  readonly emptyList: JsonText;
  /** The object of an event of a watch; a table has its columns in the first one only. */
  event(resource: Resource, options: ObjectOptions & { readonly isFirst: boolean }): JsonText;
  /** The object of a bookmark at a version. */
  bookmark(metadata: object): JsonText;
}

/** The renderer of a kind. `now` is in milliseconds since the Unix epoch; `storedVersions` is that of `ObjectOptions`. */
export function rendererOf(
  kind: KubernetesKind,
  representation: Representation,
  now: () => number,
  storedVersions?: ObjectOptions['storedVersions'],
): ObjectRenderer {
  if (representation.as === 'table') return tableRenderer(kind, representation.include, now);
  const isPartial = representation.as === 'metadata';
  const names = isPartial
    ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
    : { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  const listKind = (isPartial ? undefined : kind.listKind) ?? `${names.kind}List`;
  const one = isPartial
    ? (resource: Resource, options?: ObjectOptions) => renderPartial(resource, kind, options)
    : (resource: Resource, options?: ObjectOptions) =>
        renderObject(resource, kind, { ...options, storedVersions });
  const listHead = (metadata: object) =>
    `{"kind":${JSON.stringify(listKind)},"apiVersion":"${names.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  return {
    mediaType: isPartial
      ? 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
      : 'application/json',
    one,
    listHead,
    item: one,
    listEnd: ']}',
    emptyList: `${listHead({})}]}`,
    event: one,
    bookmark: (metadata) => JSON.stringify({ ...names, metadata }),
  };
}

/** The metadata of an object alone. */
function renderPartial(resource: Resource, kind: KubernetesKind, options?: ObjectOptions): JsonText {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${renderMetadata(resource, kind, options)}}`;
}

function tableRenderer(kind: KubernetesKind, include: IncludeObject, now: () => number): ObjectRenderer {
  const table = new TableForm(kind.columns, include);
  const row = (resource: Resource, options?: ObjectOptions) =>
    table.row(renderObject(resource, kind, options), () => renderPartial(resource, kind, options), now());
  const oneRow = (resource: Resource, options?: ObjectOptions, withColumns = true) => {
    const { resourceVersion } = JSON.parse(renderMetadata(resource, kind, options)) as {
      resourceVersion?: string;
    };
    return table.render([row(resource, options)], { resourceVersion }, withColumns);
  };
  return {
    mediaType: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    one: (resource, options) => oneRow(resource, options),
    listHead: (metadata) => table.render([], metadata).slice(0, -2),
    item: (resource) => row(resource),
    listEnd: ']}',
    emptyList: table.render([], {}),
    event: (resource, { isFirst, ...options }) => oneRow(resource, options, isFirst),
    bookmark: (metadata) => table.render([], metadata, false),
  };
}
