import { ownerReference } from '@platform/resources';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import { list, object, orNull, text, timestamp, uuid } from '../../endpoint/schema-fields.ts';
import { builtInSpecSchemas } from './built-in-spec-schemas.ts';
import { deletionSchemas } from './deletion-schemas.ts';
import { annotations, writeSchemas } from './write-schemas.ts';

const metadataSchema = object(
  {
    name: text,
    uid: uuid,
    revision: { type: 'integer', format: 'int64', description: 'Grows with every write.' },
    generation: { type: 'integer', format: 'int64', description: 'Grows when `spec` changes.' },
    discriminator: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{6}[a-z0-9]$' },
    labels: annotations,
    ancestors: { ...list(text), description: 'Names of the ancestors, root first.' },
    creationTimestamp: timestamp,
    deletionTimestamp: { ...timestamp, description: 'There while the resource waits for its deletion.' },
    annotations,
    finalizers: list(text),
    ownerReferences: list(ref('OwnerReference')),
    managedFields: {
      ...list(
        object(
          {
            manager: text,
            operation: { enum: ['Apply', 'Update'] },
            apiVersion: text,
            time: { type: 'string', format: 'date-time' },
            fieldsType: { const: 'FieldsV1' },
            fieldsV1: { type: 'object' },
            subresource: {
              const: 'status',
              description: 'Of fields of the status that were applied through the Kubernetes API.',
            },
          },
          { optional: ['subresource'] },
        ),
      ),
      description: 'Who has which fields. There once the resource was applied.',
    },
  },
  { optional: ['deletionTimestamp', 'managedFields'] },
);

/** The generic resource API: what it takes, and what it answers. */
export const resourceSchemas: Readonly<Record<string, Schema>> = {
  ...writeSchemas,
  ...builtInSpecSchemas,
  BatchResults: object({
    results: list(object({ status: { type: 'integer' }, body: {} })),
  }),
  SearchResults: object(
    {
      items: list(ref('Resource')),
      complete: {
        const: false,
        description: 'The time, or the 16 MiB of an answer, did not suffice for every name.',
      },
    },
    { optional: ['complete'] },
  ),
  RestoredResources: object({
    restored: {
      ...list(
        object({
          from: { ...uuid, description: 'Its uid before it was removed.' },
          resource: ref('Resource'),
        }),
      ),
      description: 'Parents and owners before what depends on them.',
    },
  }),
  OwnerReference: fromZod(ownerReference, { '/properties/uid': { format: 'uuid' } }),
  VersionImpact: object({
    rows: { type: 'integer', description: 'Stored at the version, terminating ones included.' },
    invalid: { type: 'integer', description: 'Refused by the new schema of the version.' },
    samples: {
      ...list(
        object({
          identity: ref('ResourceIdentity'),
          apiVersion: text,
          kind: text,
          name: text,
          uid: uuid,
          parentUid: { type: ['string', 'null'], format: 'uuid' },
          errors: list(object({ path: text, message: text })),
        }),
      ),
      description: 'Up to ten of the invalid ones.',
    },
  }),
  Resource: object(
    {
      apiVersion: { ...text, description: '`<group>/<version>`, at the version of the URL.' },
      kind: text,
      metadata: metadataSchema,
      spec: { type: 'object', description: 'As it was written, to the digit.' },
      status: object({ controllers: { type: 'object' } }, { additionalProperties: true }),
      impact: {
        type: 'object',
        additionalProperties: ref('VersionImpact'),
        description:
          'Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid.',
      },
      removedAt: { ...timestamp, description: 'With `removed=true`: when it was removed.' },
      actor: object({ type: text, id: text }, { description: 'With `removed=true`: who removed it.' }),
      cascadeId: { ...orNull(text), description: 'With `removed=true`: the deletion that removed it.' },
      complete: {
        type: 'boolean',
        description: 'With `impact`: whether every stored resource was checked in time.',
      },
    },
    {
      optional: ['spec', 'status', 'impact', 'complete', 'removedAt', 'actor', 'cascadeId'],
      description: 'Without `spec` and `status` where `view=metadata` asks for it.',
    },
  ),
  ResourceList: object({
    apiVersion: text,
    kind: text,
    metadata: object(
      {
        continue: { ...text, description: 'Opaque; `?continue=` of the next page. Absent on the last.' },
        cursor: { ...text, description: 'A watch from here on shows what changes after this page.' },
      },
      { optional: ['continue'] },
    ),
    items: list(ref('Resource')),
  }),
  PendingDeletionList: object({
    apiVersion: { const: 'platform.dev/v1alpha1' },
    kind: { const: 'PendingDeletionList' },
    metadata: object({ continue: text }, { optional: ['continue'] }),
    items: list(ref('Resource')),
  }),
  History: object({
    metadata: object({ continue: text }, { optional: ['continue'] }),
    items: list(ref('HistoryEntry')),
  }),
  HistoryEntry: object(
    {
      cursor: { ...text, description: 'The point of the change log after the entry.' },
      uid: text,
      revision: { type: 'integer' },
      time: timestamp,
      actor: object({ type: text, id: text }),
      requestId: { type: ['string', 'null'] },
      operation: text,
      removed: { type: 'boolean' },
      reason: text,
      cascadeId: text,
      generation: { type: 'integer' },
      changes: {
        type: ['array', 'null'],
        items: { type: 'object' },
        description:
          'The JSON Patch (RFC 6902) from the revision before; null when the log does not reach back to it.',
      },
      object: { type: 'object', description: 'The resource after the write, with `full=true`.' },
    },
    { optional: ['cursor', 'reason', 'cascadeId', 'object'] },
  ),
  ...deletionSchemas,
};
