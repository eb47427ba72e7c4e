import { type Labels, noLabels } from './labels.ts';
import type { OwnerReference } from './owner-reference.ts';

/**
 * JSON as text, exactly as a client sent it. Stored documents keep this form, because parsing and
 * serializing would lose integers beyond 2^53, `1.10`, `1e400` and `__proto__` keys, and is slow.
 */
export type JsonText = string;

/** One stored row. */
export interface Resource {
  readonly uid: string;
  /** `<group>/<version>` as stored; answers may show another version of the same group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The structural parent; null for a root-scoped resource. */
  readonly parentUid: string | null;
  /** The names of the structural ancestors, root first; [] for a root-scoped resource. */
  readonly ancestors: readonly string[];
  /** Their uids; the last one is the parent. */
  readonly ancestorUids: readonly string[];
  readonly name: string;
  readonly discriminator: string;
  readonly labels: Labels;
  /** An object text of client metadata that the store does not read: `{"annotations":{...}}`. */
  readonly metadata: JsonText;
  readonly spec: JsonText;
  /** An object text: `{"controllers":{...}}`. */
  readonly status: JsonText;
  /** Grows by one with every write; starts at 1. */
  readonly revision: number;
  /** Grows by one when `spec` changes; starts at 1. */
  readonly generation: number;
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
  /** RFC 3339 in UTC with milliseconds; null while the resource is live. */
  readonly deletionTimestamp: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly creationTimestamp: string;
}

/** The status of a resource without slots. */
const emptyStatus: JsonText = '{"controllers":{}}';

/** The identity of a row in audit records and cascades. */
export type ResourceIdentity = Pick<Resource, 'apiVersion' | 'kind' | 'name' | 'uid' | 'parentUid'>;

/** The identity of a row. */
export function identityOf({ apiVersion, kind, name, uid, parentUid }: Resource): ResourceIdentity {
  return { apiVersion, kind, name, uid, parentUid };
}

/** The parts of a row that clients set in `metadata`, besides the name. */
export type ClientMetadata = Pick<Resource, 'labels' | 'metadata' | 'finalizers' | 'ownerReferences'>;

/** Only the client's metadata of a row, a command or a body. */
export function clientMetadataOf({
  labels,
  metadata,
  finalizers,
  ownerReferences,
}: ClientMetadata): ClientMetadata {
  return { labels, metadata, finalizers, ownerReferences };
}

/** The metadata of a row whose client sets none. */
export const noClientMetadata: ClientMetadata = {
  labels: noLabels,
  metadata: '{"annotations":{}}',
  finalizers: [],
  ownerReferences: [],
};

/** The parts of a row that a create command sets. */
type NewResource = ClientMetadata & Pick<Resource, 'uid' | 'apiVersion' | 'name' | 'discriminator' | 'spec'>;

/** The row of a create, at revision and generation 1, below the ancestors with those uids. */
export function createdResource(
  command: NewResource & {
    readonly collection: { readonly kind: string; readonly ancestors: readonly { readonly name: string }[] };
  },
  ancestorUids: readonly string[],
  creationTimestamp: string,
): Resource {
  return {
    uid: command.uid,
    apiVersion: command.apiVersion,
    kind: command.collection.kind,
    parentUid: ancestorUids.at(-1) ?? null,
    ancestors: command.collection.ancestors.map(({ name }) => name),
    ancestorUids,
    name: command.name,
    discriminator: command.discriminator,
    ...clientMetadataOf(command),
    spec: command.spec,
    status: emptyStatus,
    revision: 1,
    generation: 1,
    deletionTimestamp: null,
    creationTimestamp,
  };
}
