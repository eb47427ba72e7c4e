import { emptyStatus, type Resource } from '../model/resource.ts';
import type { CollectionRef } from '../model/target.ts';

type AskedFor = Pick<
  Resource,
  'uid' | 'apiVersion' | 'name' | 'discriminator' | 'metadata' | 'spec' | 'finalizers' | 'ownerReferences'
>;

/** The row of a create, at revision and generation 1. */
export function createdResource(
  command: AskedFor & { readonly collection: CollectionRef },
  parentUid: string | null,
  creationTimestamp: string,
): Resource {
  return {
    uid: command.uid,
    apiVersion: command.apiVersion,
    kind: command.collection.kind,
    parentUid,
    name: command.name,
    discriminator: command.discriminator,
    metadata: command.metadata,
    spec: command.spec,
    status: emptyStatus,
    revision: 1,
    generation: 1,
    finalizers: command.finalizers,
    ownerReferences: command.ownerReferences,
    deletionTimestamp: null,
    creationTimestamp,
  };
}
