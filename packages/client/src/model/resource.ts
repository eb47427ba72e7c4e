/** Who owns a resource; `uid` counts once the reference is admitted. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** Whether the owner stays visible until the dependent is gone. */
  blockOwnerDeletion?: boolean;
}

/** The metadata of a stored resource. */
export interface Metadata {
  name: string;
  uid: string;
  /** Grows with every write. */
  revision: number;
  /** Grows when `spec` changes. */
  generation: number;
  discriminator: string;
  /** RFC 3339 in UTC with milliseconds. */
  creationTimestamp: string;
  annotations: Record<string, string>;
  finalizers: string[];
  ownerReferences: OwnerReference[];
  /** There while the resource is being deleted. */
  deletionTimestamp?: string;
}

/** A stored resource, as every answer shows it. */
export interface Resource<Spec = unknown, Status = unknown> {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec: Spec;
  /** One slot for each writer: the id of a controller, or `operator:<email>`. */
  status: { controllers: Record<string, Status> };
}

/** A resource to be created. */
export interface NewResource<Spec = unknown> {
  apiVersion: string;
  kind: string;
  metadata: Pick<Metadata, 'name'> &
    Partial<Pick<Metadata, 'annotations' | 'finalizers' | 'ownerReferences'>>;
  spec?: Spec;
}

/** A resource to be replaced: what was read, changed. A `status` is not sent. */
export interface ChangedResource<Spec = unknown> {
  apiVersion: string;
  kind: string;
  metadata: NewResource['metadata'] & Pick<Metadata, 'revision'> & Partial<Metadata>;
  spec?: Spec;
  status?: unknown;
}

/** One page of a collection. */
export interface ResourceList<Spec = unknown, Status = unknown> {
  apiVersion: string;
  kind: string;
  /** `continue` is there when a next page is. */
  metadata: { continue?: string };
  items: Resource<Spec, Status>[];
}

/** What a DELETE brought about. */
export type Deletion<Spec = unknown, Status = unknown> =
  | { deleted: true; uid: string }
  | { deleted: false; markedForDeletion: true; resource: Resource<Spec, Status> };

/** One resource that keeps another from being collected. */
export interface Blocker {
  relationship: 'structuralChild' | 'ownerReference';
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  blockOwnerDeletion?: true;
  deletionTimestamp: string | null;
  finalizers: string[];
}

/** What keeps a resource from being collected. */
export interface DeletionBlockers {
  resourceUid: string;
  cascadeFinalizerPresent: boolean;
  blockers: Blocker[];
  /** There when more than 1000 blockers exist. */
  truncated?: true;
}
