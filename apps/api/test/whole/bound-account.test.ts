import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const platform = 'platform.dev/v1alpha1';
const resources = `/api/v1/resources/${platform}`;
const organization = `${resources}/organizations/default`;
let token: string;

/** A request of the service account that a binding names. */
const send = (method: string, path: string, body?: object) =>
  fetch(`${api.publicUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

beforeAll(async () => {
  await api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
  const { body: account } = await api
    .as('admin', 'post', '/api/v1/projects/shop/service-accounts')
    .send({
      name: 'ci',
      issuer_url: 'https://issuer.example',
      claims: { aud: 'shop', sub: 'repo:acme/shop' },
    })
    .expect(201);
  const { uid, email } = account;
  token = api.accessToken({ type: 'service_account', uid, email, project: 'shop' });
  const create = (path: string, kind: string, spec: object) =>
    api
      .as('operator', 'post', `${resources}/${path}`)
      .send({ apiVersion: platform, kind, metadata: { name: 'reporter' }, spec })
      .expect(201);
  const parts = ['organizations', 'organizations/status', 'organizations/finalizers'];
  await create('roles', 'Role', {
    rules: [{ apiGroups: ['platform.dev'], resources: parts, verbs: ['get', 'update'] }],
  });
  await create('rolebindings', 'RoleBinding', {
    roleRef: { name: 'reporter' },
    subjects: [{ kind: 'ServiceAccount', name: email }],
  });
});

it('a service account writes the slot and the finalizers that carry its address, and no others', async () => {
  const slot = 'serviceaccount:shop+ci@sa.platform.local';
  const written = await send('PUT', `${organization}/status`, { status: { ok: true } });
  expect(written.status).toBe(200);
  expect((await written.json()).status.controllers).toEqual({ [slot]: { ok: true } });
  const statusOf = (name: string) =>
    send('PUT', `${organization}/status?slot=${encodeURIComponent(name)}`, { status: null });
  expect((await statusOf('user:member@example.dev')).status).toBe(403);
  expect((await statusOf(slot)).status).toBe(200);
  const finalizers = (change: object) => send('PUT', `${organization}/finalizers`, change);
  expect((await finalizers({ add: ['user:member@example.dev/hold'] })).status).toBe(403);
  expect((await finalizers({ add: [`${slot}/hold`] })).status).toBe(200);
  expect((await finalizers({ remove: [`${slot}/hold`] })).status).toBe(200);
});
