/** A resource that was created again by a restore. */
export interface RestoredResource<Spec = unknown, Status = unknown> {
  /** Its uid before it was removed. */
  readonly from: string;
  readonly resource: Resource<Spec, Status>;
}

/** A resource that was removed, in its last state. */
export interface RemovedResource<Spec = unknown, Status = unknown> extends Resource<Spec, Status> {
  readonly removedAt: string;
  readonly actor: { readonly type: string; readonly id: string };
  /** Names the deletion that removed it. */
  readonly cascadeId: string | null;
}

/** A reference to an owner. Only `uid` identifies the owner once the reference is stored. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** Whether the owner is removed only after this dependent. */
  blockOwnerDeletion?: boolean;
}

/** The fields that one manager has, in Kubernetes' form. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time: string;
  fieldsType: 'FieldsV1';
  fieldsV1: object;
  subresource?: 'status';
}

/** The metadata of a stored resource. */
export interface Metadata {
  name: string;
  uid: string;
  /** Increases with every write. */
  revision: number;
  /** Increases when `spec` changes. */
  generation: number;
  discriminator: string;
  /** The names of the ancestors, root first; empty for a root-scoped resource. */
  ancestors: string[];
  /** RFC 3339 in UTC with milliseconds. */
  creationTimestamp: string;
  /** Who manages which fields; there once the resource was applied on the server. */
  managedFields?: ManagedFieldsEntry[];
  labels: Record<string, string>;
  annotations: Record<string, string>;
  finalizers: string[];
  ownerReferences: OwnerReference[];
  /** Present while the resource is being deleted. */
  deletionTimestamp?: string;
}

/** The metadata that clients set, besides the name. */
export type ClientMetadata = Pick<Metadata, 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'>;

/** The metadata of a resource whose client sets none. */
export const noClientMetadata: Readonly<ClientMetadata> = {
  labels: {},
  annotations: {},
  finalizers: [],
  ownerReferences: [],
};

/** The metadata that the server sets. Requests need none of it, except the revision of a replace. */
export type ServerMetadata = Omit<Metadata, 'name' | keyof ClientMetadata>;

const setByServer: Readonly<Record<keyof ServerMetadata, true>> = {
  uid: true,
  revision: true,
  generation: true,
  discriminator: true,
  ancestors: true,
  creationTimestamp: true,
  deletionTimestamp: true,
  managedFields: true,
};

/** Whether the server sets a member of the metadata. People write the others. */
export function isServerMetadata(member: string): member is keyof ServerMetadata {
  return Object.hasOwn(setByServer, member);
}

/** A stored resource, as in every response. */
export interface Resource<Spec = unknown, Status = unknown> {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec: Spec;
  /** One slot for each writer, named after the controller's id or `operator:<email>`. */
  status: { controllers: Record<string, Status> };
}

/** The body of a create request. */
export interface NewResource<Spec = unknown> {
  apiVersion: string;
  kind: string;
  metadata: Pick<Metadata, 'name'> & Partial<ClientMetadata>;
  spec?: Spec;
}

/** The body of a replace request: the resource that was read, with changes. `status` is not sent. */
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
  /** `continue` is present when there is another page. */
  metadata: { continue?: string };
  items: Resource<Spec, Status>[];
}

/** The result of a DELETE. */
export type DeleteResult<Spec = unknown, Status = unknown> =
  | { deleted: true; uid: string }
  | { deleted: false; markedForDeletion: true; resource: Resource<Spec, Status> };

/** A resource that blocks the removal of another one. */
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

/** The resources that block the removal of a resource. */
export interface DeletionBlockers {
  resourceUid: string;
  cascadeFinalizerPresent: boolean;
  blockers: Blocker[];
  /** Present when there are more than 1000 blockers. */
  truncated?: true;
}
