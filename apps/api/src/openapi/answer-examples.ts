import type { Schema } from '../endpoint/documentation.ts';
import { componentSchemas } from './component-schemas.ts';

const uid = '01a1fc66-ebc7-7abd-b820-e103976092a4';
const other = '01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11';
const moment = '2026-01-01T12:00:00.000Z';

const identityExample = {
  apiVersion: 'farm.example.dev/v1',
  kind: 'Stall',
  name: 'first',
  uid: other,
  parentUid: uid,
};

/** A resource as it is answered. */
export function resourceExample(apiVersion: string, kind: string, spec: object): object {
  return {
    apiVersion,
    kind,
    metadata: {
      name: 'my-app',
      uid,
      revision: 1,
      generation: 1,
      discriminator: 'h0r8dezl',
      creationTimestamp: moment,
      ancestors: [],
      labels: { app: 'shop' },
      finalizers: [],
      ownerReferences: [],
      annotations: {},
    },
    spec,
    status: { controllers: { 'controller.example.com': { phase: 'Ready' } } },
  };
}

/** A page of one resource. */
export function listExample(apiVersion: string, kind: string, spec: object): object {
  const items = [resourceExample(apiVersion, kind, spec)];
  return {
    apiVersion,
    kind: `${kind}List`,
    metadata: { continue: 'bXktYXBw', cursor: 'MDE5MGE1YzIuMy43' },
    items,
  };
}

const [apiVersion, kind, spec] = ['farm.example.dev/v1', 'Tractor', { wheels: 4 }] as const;
const resource = resourceExample(apiVersion, kind, spec);
const tombstone = {
  ...resource,
  metadata: { ...(resource as { metadata: object }).metadata, deletionTimestamp: moment },
};

/** Answers of the generic resource API, which tell one story. Other schemas have the `examples` of their fields. */
const examples: Readonly<Record<string, unknown>> = {
  Resource: resource,
  ResourceList: listExample(apiVersion, kind, spec),
  PendingDeletionList: {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'PendingDeletionList',
    metadata: {},
    items: [tombstone],
  },
  History: {
    metadata: {},
    items: [
      {
        cursor: 'MWZhMzYwMmMuMmYuM2p0LjEy',
        uid: other,
        revision: 2,
        time: moment,
        actor: { type: 'operator', id: 'ann@example.dev' },
        requestId: 'req-1',
        operation: 'update',
        removed: false,
        reason: 'rotate',
        generation: 2,
        changes: [{ op: 'replace', path: '/spec/wheels', value: 6 }],
      },
    ],
  },
  RestoredResources: { restored: [{ from: other, resource }] },
  SearchResults: { items: [resource] },
  BatchResults: { results: [{ status: 201, body: resource }] },
  DeletionPlan: {
    hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    counts: { Stall: 1 },
    resources: [
      {
        identity: identityExample,
        ...identityExample,
        because: { relationship: 'structuralChild', owner: { ...identityExample, uid, parentUid: null } },
        effect: 'removed',
        heldBy: [],
      },
    ],
    protected: [],
  },
  Explanation: {
    causes: [
      {
        kind: 'finalizer',
        resource: identityExample,
        path: [identityExample],
        since: moment,
        detail:
          'the finalizer controller.example.com/cleanup has to be removed by its controller, or by an operator',
        action: {
          method: 'PUT',
          path: `/api/v1/resources/farm.example.dev/v1/stalls/uid:${other}/finalizers`,
          body: { add: [], remove: ['controller.example.com/cleanup'] },
          who: { type: 'controller', id: 'controller.example.com' },
        },
      },
    ],
  },
  DeletionBlockers: {
    resourceUid: uid,
    cascadeFinalizerPresent: true,
    blockers: [
      {
        relationship: 'structuralChild',
        apiVersion: 'farm.example.dev/v1',
        kind: 'Stall',
        name: 'first',
        uid: other,
        deletionTimestamp: moment,
        finalizers: ['controller.example.com/cleanup'],
      },
    ],
  },
  ResourceDeleted: { deleted: true, uid },
  ResourceMarkedForDeletion: { deleted: false, markedForDeletion: true, resource: tombstone },
};

/**
 * The example of an answer: that of its schema, or one made of the examples of its fields. Optional fields without one are left out. A test
 * holds the examples to their schemas.
 */
export function answerExample(schema: Schema): unknown {
  const { $ref, examples: own, enum: values, oneOf, anyOf, properties, items } = schema as SchemaParts;
  if ($ref !== undefined) {
    const name = $ref.slice('#/components/schemas/'.length);
    return examples[name] ?? answerExample(componentSchemas[name] ?? {});
  }
  const [first] = own ?? values ?? [schema['const']];
  if (first !== undefined) return first;
  const [variant] = oneOf ?? anyOf ?? [];
  if (variant !== undefined) return answerExample(variant);
  if (items !== undefined) {
    const item = answerExample(items);
    return item === undefined ? [] : [item];
  }
  if (properties === undefined) return undefined;
  const members = Object.entries(properties).map(([name, field]) => [name, answerExample(field)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The keywords that examples are made of. */
interface SchemaParts {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
