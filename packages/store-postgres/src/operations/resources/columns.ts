import { arrayLiteral, parseTimestamp } from '@platform/postgres';
import {
  type CreateCommand,
  noLabels,
  type OwnerReference,
  type ReplaceCommand,
  type Resource,
} from '@platform/resources';

/** How one member of a resource is stored. */
export interface Column<Value> {
  /** The column in the table `resources`. */
  readonly name: string;
  /** The SQL type that its values are cast to. */
  readonly type: string;
  /** JSON text, which statements return as it is; everything else is packed into one text. */
  readonly document?: boolean;
  /** SQL for its text, never null. */
  readonly select: (column: string) => string;
  readonly decode: (text: string) => Value;
  /** The value that a create inserts; without it, the default of the table. */
  readonly created?: (command: CreateCommand) => string;
  /** The value that a replacement sets; without it, the column stays as it is. */
  readonly replaced?: (command: ReplaceCommand) => string;
}

type Columns = { readonly [Member in keyof Resource]: Column<Resource[Member]> };

const plain = (column: string) => column;
const orEmpty = (column: string) => `coalesce(${column}::text, '')`;
const asText = (text: string) => text;

/** The columns of a resource: every statement on `resources` is composed from this table. */
export const columns: Columns = {
  uid: { name: 'uid', type: 'uuid', select: plain, decode: asText, created: ({ uid }) => uid },
  apiVersion: {
    name: 'api_version',
    type: 'text',
    select: plain,
    decode: asText,
    created: ({ apiVersion }) => apiVersion,
    replaced: ({ apiVersion }) => apiVersion,
  },
  kind: {
    name: 'kind',
    type: 'text',
    select: plain,
    decode: asText,
    created: ({ collection }) => collection.kind,
  },
  // A create finds the parent by its path.
  parentUid: { name: 'parent_uid', type: 'uuid', select: orEmpty, decode: (text) => text || null },
  ancestors: {
    name: 'ancestors',
    type: 'text[]',
    select: joined,
    decode: split,
    created: ({ collection }) => arrayLiteral(collection.ancestors.map(({ name }) => name)),
  },
  ancestorUids: { name: 'ancestor_uids', type: 'uuid[]', select: joined, decode: split },
  name: { name: 'name', type: 'text', select: plain, decode: asText, created: ({ name }) => name },
  discriminator: {
    name: 'discriminator',
    type: 'text',
    select: plain,
    decode: asText,
    created: ({ discriminator }) => discriminator,
  },
  labels: {
    name: 'labels',
    type: 'jsonb',
    select: plain,
    decode: (text) => (text === '{}' ? noLabels : JSON.parse(text)),
    created: ({ labels }) => JSON.stringify(labels),
    replaced: ({ labels }) => JSON.stringify(labels),
  },
  metadata: {
    name: 'metadata',
    type: 'json',
    document: true,
    select: plain,
    decode: asText,
    created: ({ metadata }) => metadata,
    replaced: ({ metadata }) => metadata,
  },
  spec: {
    name: 'spec',
    type: 'json',
    document: true,
    select: plain,
    decode: asText,
    created: ({ spec }) => spec,
    replaced: ({ spec }) => spec,
  },
  status: { name: 'status', type: 'json', document: true, select: plain, decode: asText },
  revision: { name: 'revision', type: 'bigint', select: plain, decode: Number },
  generation: { name: 'generation', type: 'bigint', select: plain, decode: Number },
  finalizers: {
    name: 'finalizers',
    type: 'text[]',
    select: (column) => `array_to_json(${column})`,
    decode: (text) => (text === '[]' ? none : JSON.parse(text)),
    created: ({ finalizers }) => arrayLiteral(finalizers),
    replaced: ({ finalizers }) => arrayLiteral(finalizers),
  },
  ownerReferences: {
    name: 'owner_references',
    type: 'jsonb',
    select: plain,
    decode: ownersIn,
    created: ({ ownerReferences }) => JSON.stringify(ownerReferences),
    replaced: ({ ownerReferences }) => JSON.stringify(ownerReferences),
  },
  deletionTimestamp: {
    name: 'deletion_timestamp',
    type: 'timestamptz',
    select: orEmpty,
    decode: (text) => (text === '' ? null : parseTimestamp(text)),
  },
  creationTimestamp: { name: 'created_at', type: 'timestamptz', select: plain, decode: parseTimestamp },
};

/** The columns in their order, with the members of a resource that they hold. */
export const members = Object.keys(columns) as readonly (keyof Resource)[];

const none: readonly never[] = [];

/** Neither names nor uids have commas. */
function joined(column: string): string {
  return `array_to_string(${column}, ',')`;
}

function split(text: string): readonly string[] {
  return text === '' ? none : text.split(',');
}

/** jsonb orders keys by length; answers show them in the order of the documentation. */
function ownersIn(text: string): readonly OwnerReference[] {
  if (text === '[]') return none;
  return (JSON.parse(text) as OwnerReference[]).map(
    ({ apiVersion, kind, name, uid, blockOwnerDeletion }) => ({
      apiVersion,
      kind,
      name,
      uid,
      blockOwnerDeletion,
    }),
  );
}
