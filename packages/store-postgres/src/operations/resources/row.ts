import type { OwnerReference, Resource } from '@platform/resources';
import { parseArrayLiteral } from '../../literals.ts';

/** The columns of a resource in the order of {@link ResourceRow}, of the table that the statement calls `alias`. */
export function columnsOf(alias: string): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}

const columns = [
  'uid',
  'api_version',
  'kind',
  'parent_uid',
  'name',
  'discriminator',
  'metadata',
  'spec',
  'status',
  'revision',
  'generation',
  'finalizers',
  'owner_references',
  'deletion_timestamp',
  'created_at',
] as const;

/** A row as {@link columnsOf} selects it; documents and arrays as text. */
export type ResourceRow = readonly [
  uid: string,
  apiVersion: string,
  kind: string,
  parentUid: string | null,
  name: string,
  discriminator: string,
  metadata: string,
  spec: string,
  status: string,
  revision: number,
  generation: number,
  finalizers: string,
  ownerReferences: string,
  deletionTimestamp: string | null,
  createdAt: string,
];

/** The same columns of a row that an outer join may not have found: all null then. */
export type MaybeResourceRow = ResourceRow | readonly null[];

/** How many columns a resource takes in a result row. */
export const resourceWidth = columns.length;

/** The resource in the columns of a result row from `offset` on, or null when the join found none. */
export function maybeResource(row: readonly unknown[], offset = 0): Resource | null {
  return row[offset] === null ? null : toResource(row, offset);
}

/** The resource in the columns of a result row from `offset` on. */
export function toResource(row: readonly unknown[], offset = 0): Resource {
  const [uid, apiVersion, kind, parentUid, name, discriminator, metadata, spec, status, ...rest] = (offset ===
  0
    ? row
    : row.slice(offset)) as unknown as ResourceRow;
  const [revision, generation, finalizers, ownerReferences, deletionTimestamp, creationTimestamp] = rest;
  return {
    uid,
    apiVersion,
    kind,
    parentUid,
    name,
    discriminator,
    metadata,
    spec,
    status,
    revision,
    generation,
    finalizers: parseArrayLiteral(finalizers),
    ownerReferences: ownersOf(ownerReferences),
    deletionTimestamp,
    creationTimestamp,
  };
}

const noOwners: readonly OwnerReference[] = [];

/** The owner references in their column's text. jsonb orders keys by length; answers show them in the order of the specification. */
export function ownersOf(text: string): readonly OwnerReference[] {
  if (text === '[]') return noOwners;
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
