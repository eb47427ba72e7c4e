import type { ChangedResource, Resource } from 'platform-service-client';
import { sameJson } from '../json.ts';
import { type ResourceDocument, serverSet } from './document.ts';

const reserved = 'system.platform.dev/';

const knownMembers = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const knownMetadata = ['name', 'labels', 'annotations', 'finalizers', 'ownerReferences', ...serverSet];

/** The members of a document that this command line does not know, and that the stored resource does not have in this way. */
export function unknownMembers(
  stored: Resource,
  { whole, metadata }: ResourceDocument,
): { readonly top: object; readonly metadata: object; readonly isEmpty: boolean } {
  const unknown = (members: object, known: readonly string[], own: object) =>
    Object.entries(members).filter(
      ([name, value]) => !known.includes(name) && !sameJson(value, (own as Record<string, unknown>)[name]),
    );
  const top = unknown(whole, knownMembers, stored);
  const below = unknown(metadata, knownMetadata, stored.metadata);
  return {
    top: Object.fromEntries(top),
    metadata: Object.fromEntries(below),
    isEmpty: top.length + below.length === 0,
  };
}

/**
 * The stored resource with the fields of a document. A field that the document omits keeps its value, so that applying a file does
 * not remove the finalizers of controllers. The platform's own finalizers are kept in any case. Unknown fields and values of a wrong
 * type are kept as well: the server refuses them.
 */
export function mergeDocument(stored: Resource, document: ResourceDocument): ChangedResource {
  const { metadata, spec } = document;
  const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
  const unknown = unknownMembers(stored, document);
  const fieldOr = <T>(field: string, fallback: T): T => (metadata[field] as T | null | undefined) ?? fallback;
  const wanted = fieldOr('finalizers', finalizers);
  const withReserved = (names: readonly string[]) => [
    ...names,
    ...finalizers.filter((name) => name.startsWith(reserved) && !names.includes(name)),
  ];
  return {
    ...stored,
    ...unknown.top,
    metadata: {
      ...stored.metadata,
      ...unknown.metadata,
      labels: fieldOr('labels', labels),
      annotations: fieldOr('annotations', annotations),
      finalizers: Array.isArray(wanted) ? withReserved(wanted) : wanted,
      ownerReferences: fieldOr('ownerReferences', ownerReferences),
    },
    spec: spec === undefined ? stored.spec : spec,
  };
}

/** The fields of a resource that users decide about. */
export interface Desired {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly annotations: Record<string, string>;
    readonly finalizers: string[];
    readonly ownerReferences: NonNullable<ChangedResource['metadata']['ownerReferences']>;
  };
  readonly spec: unknown;
}

/** The fields of a resource that users decide about: they are compared, shown and edited. */
export function desiredState({ apiVersion, kind, metadata, spec }: ChangedResource): Desired {
  const { name, labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, labels, annotations, finalizers, ownerReferences },
    spec: spec ?? {},
  };
}

/**
 * A three-way merge of whole fields: a field that the user left unchanged takes its current value. Null when a field was changed to
 * different values by the user and by somebody else.
 */
export function mergeEdit(original: Desired, edited: Desired, current: Desired): Desired | null {
  let isConflict = false;
  const pick = <T>(before: T, mine: T, theirs: T): T => {
    if (sameJson(mine, before)) return theirs;
    if (!sameJson(theirs, before) && !sameJson(theirs, mine)) isConflict = true;
    return mine;
  };
  const [base, mine, theirs] = [original.metadata, edited.metadata, current.metadata];
  const merged = {
    ...edited,
    metadata: {
      name: mine.name,
      labels: pick(base.labels, mine.labels, theirs.labels),
      annotations: pick(base.annotations, mine.annotations, theirs.annotations),
      finalizers: pick(base.finalizers, mine.finalizers, theirs.finalizers),
      ownerReferences: pick(base.ownerReferences, mine.ownerReferences, theirs.ownerReferences),
    },
    spec: pick(original.spec, edited.spec, current.spec),
  };
  return isConflict ? null : merged;
}
