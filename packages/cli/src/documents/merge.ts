import type { ChangedResource, Resource } from '@platform/client';
import type { ResourceDocument } from './document.ts';

const reserved = 'system.platform.dev/';

/**
 * The stored resource with what a document says. What it does not say stays: above all the finalizers that controllers hold.
 * The platform's own finalizers stay in any case.
 */
export function merge(stored: Resource, { metadata, spec }: ResourceDocument): ChangedResource {
  const { annotations, finalizers, ownerReferences } = stored.metadata;
  const said = <T>(member: string, otherwise: T): T =>
    (metadata[member] as T | null | undefined) ?? otherwise;
  const wanted = said('finalizers', finalizers);
  const kept = finalizers.filter((name) => name.startsWith(reserved) && !wanted.includes(name));
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      annotations: said('annotations', annotations),
      finalizers: [...wanted, ...kept],
      ownerReferences: said('ownerReferences', ownerReferences),
    },
    spec: spec === undefined ? stored.spec : spec,
  };
}

/** What of a resource a person decides about: the part to be compared and shown. */
export function decided({ apiVersion, kind, metadata, spec }: ChangedResource): object {
  const { name, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  return { apiVersion, kind, metadata: { name, annotations, finalizers, ownerReferences }, spec: spec ?? {} };
}
