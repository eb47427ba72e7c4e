import { randomUUID } from 'node:crypto';
import { timeoutFactor } from '@platform/development/testing';
import { operations } from '../openapi/operations.ts';
import { WholeApi } from './whole-api.ts';

/** Farms of two owners, of which a caller sees one. The tables ask hundreds of times at endpoints that count requests. */
export const api = new WholeApi(() => ({ limits: { oauth_requests_per_minute: 100_000 } }));

export const v1 = 'farm.example/v1';
export const platform = 'platform.dev/v1alpha1';
export const root = '/api/v1/resources';
export const bound = { uid: randomUUID(), email: 'bound@example.dev', email_verified: true };
export const missingUid = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
export const uids: Record<string, string> = {};

/** A request, but for its path. */
export interface Sent {
  readonly method: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A path of something that exists outside of what is granted, and the same path with a name that nothing has, of the same length. */
export type Pair = readonly [existing: string, missing: string];

export const envelope = (kind: string, name: string, more: object = {}) => ({
  apiVersion: v1,
  kind,
  metadata: { name },
  spec: {},
  ...more,
});

export async function create(
  as: 'operator' | 'admin',
  path: string,
  body: object,
): Promise<Record<string, never>> {
  const answer = await api.as(as, 'post', path).send(body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
}

beforeAll(async () => {
  const kinds = [
    ['Farm', null],
    ['Field', 'Farm'],
    ['Row', 'Field'],
  ] as const;
  for (const [kind, parent] of kinds) {
    const plural = `${kind.toLowerCase()}s`;
    const above = parent === null ? {} : { parent: { apiVersion: v1, kind: parent } };
    const versions = [{ name: 'v1', served: true, storage: true }];
    await create('operator', `${root}/${platform}/resourcedefinitions`, {
      apiVersion: platform,
      kind: 'ResourceDefinition',
      metadata: { name: `${plural}.farm.example` },
      spec: { group: 'farm.example', kind, plural, versions, ...above },
    });
  }
  const at = async (path: string, kind: string, name: string) => {
    const { metadata } = (await create(
      'operator',
      `${root}/${v1}/${path}`,
      envelope(kind, name),
    )) as never as {
      metadata: { uid: string };
    };
    uids[name] = metadata.uid;
  };
  await at('farms', 'Farm', 'hill');
  await at('farms', 'Farm', 'dale');
  await at('fields/hill', 'Field', 'north');
  await at('fields/dale', 'Field', 'south');
  await at('fields/dale', 'Field', 'gone');
  await at('rows/dale/south', 'Row', 'first');
  await api.as('operator', 'delete', `${root}/${v1}/fields/dale/gone`).expect(200);
  await create('operator', `${root}/${platform}/organizations`, {
    apiVersion: platform,
    kind: 'Organization',
    metadata: { name: 'hidden' },
    spec: {},
  });
  const spec = {
    roleRef: { name: 'admin' },
    subjects: [{ kind: 'User', name: bound.email }],
    scope: { apiVersion: v1, kind: 'Farm', name: 'hill', uid: uids['hill'] },
  };
  await create('operator', `${root}/${platform}/rolebindings`, {
    apiVersion: platform,
    kind: 'RoleBinding',
    metadata: { name: 'hill-admins' },
    spec,
  });
  const others = [{ kind: 'User', name: 'other@example.dev' }];
  await create('operator', `${root}/${platform}/rolebindings`, {
    apiVersion: platform,
    kind: 'RoleBinding',
    metadata: { name: 'dale-readers' },
    spec: { ...spec, subjects: others, scope: { ...spec.scope, name: 'dale', uid: uids['dale'] } },
  });
  await create('operator', `${root}/${platform}/subscriptions`, {
    apiVersion: platform,
    kind: 'Subscription',
    metadata: { name: 'hook' },
    spec: { url: 'https://hook.example', secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', suspend: true },
  });
  await create('admin', '/api/v1/teams', { name: 'insiders', members: [] });
  await create('admin', '/api/v1/projects', { name: 'secret' });
  await create('admin', '/api/v1/projects/secret/environments', { name: 'staging' });
  const { uid } = await create('admin', '/api/v1/projects/secret/deployments', { environment: 'staging' });
  uids['deployment'] = uid as never as string;
});

/** Everything of an answer that a caller can compare. */
export async function answerTo(
  as: string,
  path: string,
  { method, query, headers, body }: Sent,
): Promise<string> {
  const answer = await fetch(`${api.publicUrl}${path}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: {
      Authorization: `Bearer ${as}`,
      'X-Request-Id': 'same',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    // An answer that does not end is a stream, which nobody may get here.
    signal: AbortSignal.timeout(20_000 * timeoutFactor),
  });
  const { date: _date, ...kept } = Object.fromEntries(answer.headers);
  const text = (await answer.text()).replaceAll(path, 'PATH');
  return JSON.stringify([answer.status, kept, text]);
}

/** The documented endpoints that need a credential. */
export const guarded = operations.filter(({ security }) => security.length > 0);
