import { randomUUID } from 'node:crypto';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const other = api.replica();

const v1 = 'farm.example/v1';
const platform = 'platform.dev/v1alpha1';
const dev = { uid: randomUUID(), email: 'dev@example.dev', email_verified: true };
const resources = '/api/v1/resources';

type Method = 'get' | 'post' | 'put' | 'delete';

const asOperator = (method: Method, path: string, body?: object) =>
  api.as('operator', method, path).send(body);

/** The request as a user who has nothing but bindings. */
const asDev = (publicUrl: string, method: Method, path: string, body?: object) =>
  request(publicUrl)
    [method](path)
    .set('Authorization', `Bearer ${api.session(dev)}`)
    .send(body);

const envelope = (kind: string, name: string, spec: object = {}, apiVersion = v1) => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});

let hill: { metadata: { uid: string; revision: number } };

/** Requests of every way to a resource, and what each answers while it is granted. */
const granted: readonly (readonly [Method, () => string, number, (() => object)?])[] = [
  ['get', () => `${resources}/${v1}/farms/hill`, 200],
  ['get', () => `${resources}/${v1}/farms/uid:${hill.metadata.uid}`, 200],
  ['get', () => `${resources}/${v1}/farms/nowhere`, 404],
  ['get', () => `${resources}/${v1}/farms`, 200],
  ['get', () => `${resources}/${v1}/farms?labelSelector=!x`, 200],
  ['get', () => `${resources}/${v1}/farms?removed=true`, 200],
  ['get', () => `${resources}/${v1}/fields/hill`, 200],
  ['get', () => `${resources}/${v1}/fields/-`, 200],
  ['get', () => `${resources}/${v1}/farms/hill/history`, 200],
  ['get', () => `${resources}/${v1}/farms/hill/explain`, 200],
  ['get', () => `${resources}/${v1}/farms/hill/deletion-blockers`, 200],
  ['get', () => '/api/v1/search?q=hill', 200],
  ['get', () => resources, 200],
  ['post', () => `${resources}/${v1}/farms?dryRun=true`, 201, () => envelope('Farm', 'new')],
  ['put', () => `${resources}/${v1}/farms/hill/status?dryRun=true`, 200, () => ({ status: { a: 1 } })],
  ['delete', () => `${resources}/${v1}/farms/hill?dryRun=true`, 202],
  [
    'post',
    () => '/api/v1/batch?dryRun=true',
    200,
    () => ({
      operations: [
        { method: 'POST', path: `${resources}/${v1}/farms`, body: envelope('Farm', 'in-a-batch') },
      ],
    }),
  ],
];

/** The statuses of all requests at one replica; a check says whether the access is there as well. */
async function statusesAt(publicUrl: string): Promise<readonly (number | boolean)[]> {
  const statuses = await Promise.all(
    granted.map(async ([method, path, , body]) => {
      const answer = await asDev(publicUrl, method, path(), body?.());
      return answer.status;
    }),
  );
  const checks = [{ verb: 'get', path: `${resources}/${v1}/farms/hill` }];
  const { body } = await asDev(publicUrl, 'post', '/api/v1/access/check', { checks }).expect(200);
  const me = await asDev(publicUrl, 'get', '/api/v1/auth/me').expect(200);
  const names = (me.body.bindings ?? []).map(({ name }: { name: string }) => name);
  return [...statuses, body.results[0].allowed, names.includes('farmers')];
}

const whileGranted = [...granted.map(([, , status]) => status), true, true];
const whileRefused = [...granted.map(() => 403), false, false];

beforeAll(async () => {
  const definition = (kind: string, plural: string, parent: object = {}) =>
    envelope(
      'ResourceDefinition',
      `${plural}.farm.example`,
      {
        group: 'farm.example',
        kind,
        plural,
        ...parent,
        versions: [{ name: 'v1', served: true, storage: true }],
      },
      platform,
    );
  const definitions = `${resources}/${platform}/resourcedefinitions`;
  await asOperator('post', definitions, definition('Farm', 'farms')).expect(201);
  const parent = { parent: { apiVersion: v1, kind: 'Farm' } };
  await asOperator('post', definitions, definition('Field', 'fields', parent)).expect(201);
  const farms = `${resources}/${v1}/farms`;
  hill = (await asOperator('post', farms, envelope('Farm', 'hill')).expect(201)).body;
  await asOperator('post', `${resources}/${v1}/fields/hill`, envelope('Field', 'north')).expect(201);
});

const rules = (verbs: readonly string[]) => ({
  rules: [{ apiGroups: ['farm.example'], resources: ['*'], verbs }],
});
const binding = (subjects: readonly object[]) =>
  envelope('RoleBinding', 'farmers', { roleRef: { name: 'farmer' }, subjects }, platform);
const user = { kind: 'User', name: dev.email };

/** Replaces the spec of a role or a binding, through one of the replicas. */
async function replace(publicUrl: string, path: string, spec: object): Promise<void> {
  const session = `Bearer ${api.session('operator')}`;
  const at = `${resources}/${platform}/${path}`;
  const { body } = await request(publicUrl).get(at).set('Authorization', session).expect(200);
  const { status: _status, ...stored } = body;
  const sent = { ...stored, spec };
  await request(publicUrl).put(at).set('Authorization', session).send(sent).expect(200);
}

describe('grants and revocations, one after the other, on two replicas', () => {
  it.each([
    [
      'a binding is created and deleted',
      async () => {
        await asOperator(
          'post',
          `${resources}/${platform}/roles`,
          envelope('Role', 'farmer', rules(['*']), platform),
        );
        await asOperator('post', `${resources}/${platform}/rolebindings`, binding([user])).expect(201);
      },
      async () => {
        await asOperator('delete', `${resources}/${platform}/rolebindings/farmers`).expect(200);
      },
    ],
    [
      'the subjects of a binding change',
      async () => {
        await asOperator('post', `${resources}/${platform}/rolebindings`, binding([]));
        await replace(other.publicUrl, 'rolebindings/farmers', binding([user]).spec);
      },
      async () => replace(api.publicUrl, 'rolebindings/farmers', binding([]).spec),
    ],
    [
      'the rules of a role change',
      async () => {
        await asOperator('post', `${resources}/${platform}/rolebindings`, binding([]));
        await replace(api.publicUrl, 'rolebindings/farmers', binding([user]).spec);
        await replace(other.publicUrl, 'roles/farmer', rules(['*']));
      },
      async () => replace(other.publicUrl, 'roles/farmer', { rules: [] }),
    ],
    [
      'a role is created and deleted',
      async () => {
        await asOperator('post', `${resources}/${platform}/rolebindings`, binding([]));
        await replace(api.publicUrl, 'rolebindings/farmers', binding([user]).spec);
        await asOperator(
          'post',
          `${resources}/${platform}/roles`,
          envelope('Role', 'farmer', rules(['*']), platform),
        );
        await replace(other.publicUrl, 'roles/farmer', rules(['*']));
      },
      async () => {
        await asOperator('delete', `${resources}/${platform}/roles/farmer`).expect(200);
      },
    ],
  ])('answers as it stands, on both, when %s', async (_what, grant, revoke) => {
    let stopped = false;
    // Requests of others keep both caches busy meanwhile.
    const noise = [api.publicUrl, other.publicUrl].map(async (publicUrl) => {
      while (!stopped) await asDev(publicUrl, 'get', `${resources}/${v1}/farms/hill`);
    });
    for (let round = 0; round < 10; round += 1) {
      await grant();
      const now = await Promise.all([statusesAt(other.publicUrl), statusesAt(api.publicUrl)]);
      expect(now).toEqual([whileGranted, whileGranted]);
      await revoke();
      const then = await Promise.all([statusesAt(other.publicUrl), statusesAt(api.publicUrl)]);
      expect(then).toEqual([whileRefused, whileRefused]);
    }
    stopped = true;
    await Promise.all(noise);
  });
});
