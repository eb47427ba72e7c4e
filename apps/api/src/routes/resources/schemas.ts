import { roleSpec } from '@platform/access';
import {
  createBody,
  definitionSpec,
  finalizersBody,
  organizationSpec,
  ownerReference,
  replaceBody,
  restoreBody,
  roleBindingSpec,
  statusBody,
  subscriptionSpec,
} from '@platform/resources';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { type Additions, fromZod } from '../../endpoint/from-zod.ts';
import { list, object, orNull, text, timestamp, uuid } from '../../endpoint/schema-fields.ts';
import { batchRequest } from './batch-body.ts';
import { deletionSchemas } from './deletion-schemas.ts';

const annotations: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const labels: Schema = { ...annotations, description: 'Keys and values as in Kubernetes; see docs/find.md.' };
const metadata = '/properties/metadata/properties';
const references: Additions = {
  [`${metadata}/name`]: { examples: ['my-app'] },
  [`${metadata}/annotations`]: { ...annotations, examples: [{ 'example.dev/team': 'makers' }] },
  [`${metadata}/labels`]: { ...labels, examples: [{ app: 'shop', 'example.dev/tier': 'web' }] },
  [`${metadata}/ownerReferences`]: { examples: [[]] },
  [`${metadata}/finalizers`]: {
    examples: [[]],
    maxItems: 64,
    description: 'Duplicates are stored once.',
  },
  [`${metadata}/ownerReferences/items/properties/uid`]: { format: 'uuid' },
};

/** A rule of a role. */
const rule = '/properties/rules/items/properties';

const create = fromZod(createBody, references);
const replace = fromZod(replaceBody, {
  ...references,
  '/properties/metadata': {
    required: ['name', 'revision'],
    description:
      'Members that the server sets may be sent back unchanged. `labels`, `annotations`, `finalizers` and `ownerReferences` are replaced; absent ones become empty.',
  },
  [`${metadata}/revision`]: { description: 'The revision that was read; 409 when the stored one differs.' },
});

/** A body for one kind: `kind` and `apiVersion` are the only ones, and `spec` is what the kind says. */
export function bodyOf(verb: 'create' | 'replace', kind: string, apiVersion: string, spec: Schema): Schema {
  const body = verb === 'create' ? create : replace;
  const properties = body['properties'] as Readonly<Record<string, Schema>>;
  return {
    ...body,
    properties: { ...properties, apiVersion: { const: apiVersion }, kind: { const: kind }, spec },
  };
}

/** A resource of one kind, as answers show it; with the status slots of the controllers that may write one. */
export function resourceOf(
  kind: string,
  apiVersion: string,
  spec: Schema,
  statusIds: readonly string[],
): Schema {
  const slots = Object.fromEntries(statusIds.map((id) => [id, statusSlot]));
  const controllers = { type: 'object', properties: slots, additionalProperties: true };
  const status =
    statusIds.length === 0 ? {} : { status: object({ controllers }, { additionalProperties: true }) };
  return narrowed('Resource', { apiVersion: { const: apiVersion }, kind: { const: kind }, spec, ...status });
}

/** A schema with some properties replaced: generators read that better than a reference with properties next to it. */
function narrowed(name: string, properties: Readonly<Record<string, Schema>>): Schema {
  const schema = resourceSchemas[name] ?? {};
  return { ...schema, properties: { ...(schema['properties'] as Schema), ...properties } };
}

/** The status slot of a controller. The controller decides its members; the ones listed here are read by tools. */
const statusSlot: Schema = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer', format: 'int64', description: 'The generation that it is about.' },
    conditions: list({ type: 'object', additionalProperties: true }),
  },
  additionalProperties: true,
};

/** A page of one kind. */
export function listOf(kind: string, apiVersion: string, item: Schema): Schema {
  return narrowed('ResourceList', {
    apiVersion: { const: apiVersion },
    kind: { const: `${kind}List` },
    items: list(item),
  });
}

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

/** The generic resource API: what it takes, from the schemas that validate it, and what it answers. */
export const resourceSchemas: Readonly<Record<string, Schema>> = {
  ResourceCreate: create,
  ResourceReplace: replace,
  Patch: {
    description: 'A JSON Merge Patch (RFC 7396) or a JSON Patch (RFC 6902), by the content type.',
    oneOf: [
      { type: 'object' },
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['op', 'path'],
          properties: {
            op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
            path: { ...text, description: 'A JSON pointer (RFC 6901).' },
            from: text,
            value: true,
          },
        },
      },
    ],
  },
  Batch: fromZod(batchRequest, {
    '/properties/operations': { maxItems: 1000 },
    '/properties/operations/items/properties/path': { description: 'The path with its query.' },
    '/properties/operations/items/properties/headers': {
      description: '`Content-Type` and `If-Match` of the operation.',
    },
  }),
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
  StatusWrite: fromZod(statusBody),
  FinalizersWrite: fromZod(finalizersBody),
  RestoreRequest: fromZod(restoreBody, {
    '/properties/dryRun': { description: 'As `dryRun=true` in the query.' },
    '/properties/dependents': {
      description: 'Whether to restore everything that the deletion removed with it.',
    },
    '/properties/name': { description: 'Another name for the resource itself.' },
  }),
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
  OrganizationSpec: fromZod(organizationSpec),
  ResourceDefinitionSpec: fromZod(definitionSpec, {
    '/properties/versions': {
      description:
        'Exactly one has `storage: true`, at least one `served: true`, and each name appears once.',
    },
  }),
  RoleSpec: fromZod(roleSpec, {
    '/properties/rules': {
      description: 'A request is allowed when one rule names its group, its resource, its name and its verb.',
    },
    [`${rule}/apiGroups`]: { description: 'Groups of kinds; `*` for each.' },
    [`${rule}/resources`]: { description: 'Plurals, or `plural/subresource`; `*` for each.' },
    [`${rule}/resourceNames`]: { description: 'Only resources with these names.' },
  }),
  RoleBindingSpec: fromZod(roleBindingSpec, {
    '/properties/roleRef/properties/name': { description: 'The name of a Role.' },
    '/properties/subjects/items/properties/name': {
      description: 'An e-mail address, a group, a service account, or the id of a controller.',
    },
    '/properties/scope': {
      description: 'The binding covers this resource and everything below it; everything without it.',
    },
  }),
  SubscriptionSpec: fromZod(subscriptionSpec, {
    '': { required: ['url'] },
    '/properties/url': { description: 'An https URL that takes CloudEvents.' },
    '/properties/secret': {
      description:
        'Base64 of 24 to 64 bytes, stored sealed and never shown again. A new subscription needs it; a replacement without it keeps the one before.',
    },
    '/properties/suspend': { description: 'No change is delivered while it is true.' },
    '/properties/selector': { description: 'Which changes are delivered; all of them without it.' },
  }),
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
