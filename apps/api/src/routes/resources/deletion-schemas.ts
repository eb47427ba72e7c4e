import { ref, type Schema } from '../../endpoint/documentation.ts';
import { list, object, text, timestamp, uuid } from '../../endpoint/schema-fields.ts';

const identity = object({
  apiVersion: { ...text, description: 'As it is stored.' },
  kind: text,
  name: text,
  uid: uuid,
  parentUid: { type: ['string', 'null'], format: 'uuid' },
});

const blocker = object(
  {
    relationship: { type: 'string', enum: ['structuralChild', 'ownerReference'] },
    apiVersion: text,
    kind: text,
    name: text,
    uid: uuid,
    blockOwnerDeletion: { const: true },
    deletionTimestamp: { type: ['string', 'null'], format: 'date-time' },
    finalizers: list(text),
  },
  { optional: ['blockOwnerDeletion'] },
);

/** The answers about deletions: their outcome, their plan, and the reasons why they wait. */
export const deletionSchemas: Readonly<Record<string, Schema>> = {
  ResourceIdentity: identity,
  DeletionPlan: object(
    {
      hash: {
        type: ['string', 'null'],
        description: 'For `?plan=` of a DELETE. Null when the plan is truncated.',
      },
      counts: { type: 'object', additionalProperties: { type: 'integer' }, description: 'By kind.' },
      resources: { ...list(ref('PlannedResource')), description: 'Without the requested one.' },
      protected: { ...list(ref('ResourceIdentity')), description: 'A DELETE is 409 while there is one.' },
      truncated: { const: true, description: 'There are more dependents than were read.' },
    },
    { optional: ['truncated'] },
  ),
  PlannedResource: object({
    identity: ref('ResourceIdentity'),
    apiVersion: text,
    kind: text,
    name: text,
    uid: uuid,
    parentUid: { type: ['string', 'null'], format: 'uuid' },
    because: object(
      {
        relationship: { type: 'string', enum: ['structuralChild', 'ownerReference'] },
        owner: ref('ResourceIdentity'),
        blockOwnerDeletion: { type: 'boolean' },
      },
      { optional: ['owner', 'blockOwnerDeletion'] },
    ),
    effect: { type: 'string', enum: ['removed', 'held'] },
    heldBy: list(
      object({ resource: ref('ResourceIdentity'), finalizers: list(text), protected: { type: 'boolean' } }),
    ),
  }),
  Explanation: {
    oneOf: [
      object(
        { causes: list(ref('DeletionCause')), truncated: { const: true, description: 'There may be more.' } },
        {
          optional: ['truncated'],
          description: 'Of a resource that is being deleted, nearest causes first.',
        },
      ),
      object(
        {
          owners: list(ref('Relative')),
          dependents: list(ref('Relative')),
          changes: { ...list(ref('HistoryEntry')), description: 'The newest ten.' },
          truncated: { const: true, description: 'There are more dependents.' },
        },
        { optional: ['truncated'], description: 'Of a live resource.' },
      ),
    ],
  },
  DeletionCause: object(
    {
      kind: {
        type: 'string',
        enum: ['finalizer', 'live_dependent', 'protected', 'collector', 'definition_missing'],
      },
      resource: ref('ResourceIdentity'),
      path: { ...list(ref('ResourceIdentity')), description: 'The shortest way, both ends included.' },
      since: timestamp,
      detail: { ...text, description: 'For a person.' },
      action: object(
        {
          method: text,
          path: text,
          body: { type: 'object' },
          who: object({ type: text, id: text }, { optional: ['id'] }),
        },
        { description: 'Performing every action as its `who` frees the resource.' },
      ),
    },
    { optional: ['action'] },
  ),
  Relative: object(
    {
      relationship: { type: 'string', enum: ['parent', 'owner', 'structuralChild', 'ownerReference'] },
      apiVersion: text,
      kind: text,
      name: text,
      uid: uuid,
      parentUid: { type: ['string', 'null'], format: 'uuid' },
      blockOwnerDeletion: { type: 'boolean' },
      deletionTimestamp: { type: ['string', 'null'], format: 'date-time' },
    },
    { optional: ['blockOwnerDeletion'] },
  ),
  DeletionBlockers: object(
    {
      resourceUid: uuid,
      cascadeFinalizerPresent: { type: 'boolean' },
      blockers: list(blocker),
      truncated: { const: true, description: 'There are more than the 1000 shown.' },
    },
    { optional: ['truncated'] },
  ),
  ResourceDeleted: object({ deleted: { const: true }, uid: uuid }),
  ResourceMarkedForDeletion: object({
    deleted: { const: false },
    markedForDeletion: { const: true },
    resource: ref('Resource'),
  }),
};
