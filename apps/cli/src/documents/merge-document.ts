import type { ChangedResource, Resource } from 'platform-service-client';
import { sameJson } from '../json.ts';
import type { ResourceDocument } from './document.ts';

const reserved = 'system.platform.dev/';

/**
 * The stored resource with the fields of a document. A field that the document omits keeps its value, so that applying a file does
 * not remove the finalizers of controllers. The platform's own finalizers are kept in any case.
 */
export function mergeDocument(stored: Resource, { metadata, spec }: ResourceDocument): ChangedResource {
  const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
  const fieldOr = <T>(field: string, fallback: T): T => (metadata[field] as T | null | undefined) ?? fallback;
  const wanted = fieldOr('finalizers', finalizers);
  const kept = finalizers.filter((name) => name.startsWith(reserved) && !wanted.includes(name));
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      labels: fieldOr('labels', labels),
      annotations: fieldOr('annotations', annotations),
      finalizers: [...wanted, ...kept],
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
