import type { Schema } from '../endpoint/documentation.ts';
import { issuer, moment, other, projectExamples, uid } from './project-examples.ts';

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

const auditRecord = {
  id: uid,
  time: moment,
  action: 'project.updated',
  outcome: 'allowed',
  actor: { type: 'user', id: 'ann@example.dev' },
  requestId: '5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10',
  sourceAddress: '192.0.2.1',
  userAgent: 'platform-cli/0.25.0',
  resource: { kind: 'Project', name: 'shop', uid: other },
  project: 'shop',
  details: { changed: ['members'], members: ['carol@example.dev'] },
};

/** An answer of each schema of `components` that answers have; a test holds them to it. */
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
  ...projectExamples,
  Deleted: { deleted: true },
  ExchangedToken: {
    access_token: '<access token>',
    issued_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_type: 'Bearer',
    expires_in: 600,
  },
  Session: {
    access_token: '<session token>',
    token_type: 'Bearer',
    expires_in: 86400,
    id_token: '<ID token>',
  },
  DeviceAuthorization: {
    device_code: '<device code>',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://platform.example.com/device',
    verification_uri_complete: 'https://platform.example.com/device?user_code=WDJB-MJHT',
    expires_in: 600,
    interval: 5,
  },
  WorkloadToken: {
    token: '<workload token>',
    token_type: 'Bearer',
    expires_in: 600,
    audience: 'https://queue.example.dev',
  },
  IngressToken: {
    token: '<ingress token>',
    token_type: 'Bearer',
    expires_in: 3600,
    audience: 'https://shop.example.dev',
    project: 'shop',
  },
  SessionList: {
    items: [
      {
        id: uid,
        user: 'ann@example.dev',
        createdAt: moment,
        expiresAt: '2026-01-02T12:00:00.000Z',
        userAgent: 'platform-cli/0.25.0',
      },
    ],
    continue: 'bXktYXBw',
  },
  AuditRecord: auditRecord,
  AuditRecordList: {
    items: [auditRecord],
    continue: 'bXktYXBw',
  },
  Introspection: {
    active: true,
    token_type: 'Bearer',
    token_use: 'ingress',
    iss: 'https://platform.example',
    aud: 'https://shop.example.dev',
    sub: other,
    username: 'ann@example.dev',
    email: 'ann@example.dev',
    iat: 1767268800,
    exp: 1767272400,
    sid: uid,
    project: 'shop',
  },
  Ciphertext: { encrypted: '<ciphertext>' },
  Caller: { type: 'user', uid, email: 'ann@example.dev', operator: true, admin: false },
  Jwks: { keys: [{ kty: 'RSA', kid: '<thumbprint>', use: 'sig', alg: 'RS256', n: '<modulus>', e: 'AQAB' }] },
  ProviderMetadata: {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'email', 'profile'],
  },
  Tokens: {
    access_token: '<access token of the provider>',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'openid email profile',
    id_token: '<ID token>',
  },
};

/** The example of an answer whose schema is one of `components`, or begins with one; undefined otherwise. */
export function answerExample(schema: Schema): unknown {
  const {
    $ref: reference,
    oneOf,
    anyOf,
  } = schema as {
    $ref?: string;
    oneOf?: readonly Schema[];
    anyOf?: readonly Schema[];
  };
  const [first] = oneOf ?? anyOf ?? [];
  if (first !== undefined) return answerExample(first);
  return reference === undefined ? undefined : examples[reference.slice('#/components/schemas/'.length)];
}
