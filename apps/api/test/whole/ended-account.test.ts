import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const other = api.replica();

const platform = 'platform.dev/v1alpha1';
const resources = `/api/v1/resources/${platform}`;

// Attack: somebody with the token of a service account that was deleted goes on reading every change.
it('a stream of a service account ends with the account, on every replica', async () => {
  await api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
  const accounts = '/api/v1/projects/shop/service-accounts';
  const body = {
    name: 'robot',
    issuer_url: 'https://issuer.example',
    claims: { aud: 'shop', sub: 'repo:acme/shop' },
  };
  const { body: account } = await api.as('admin', 'post', accounts).send(body).expect(201);
  const spec = {
    roleRef: { name: 'viewer' },
    subjects: [{ kind: 'ServiceAccount', name: account.email }],
  };
  const binding = { apiVersion: platform, kind: 'RoleBinding', metadata: { name: 'robots' }, spec };
  await api.as('operator', 'post', `${resources}/rolebindings`).send(binding).expect(201);
  const { uid, email } = account;
  const token = api.accessToken({ type: 'service_account', uid, email, project: 'shop' });
  const streams = await Promise.all(
    [api, other].map(({ publicUrl }) =>
      fetch(`${publicUrl}${resources}/organizations?watch=true`, {
        headers: { Authorization: `Bearer ${token}` },
      }),
    ),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const texts = streams.map((stream) => stream.text());
  const discover = async (path: string) =>
    (await fetch(`${other.publicUrl}/kubernetes/${path}`, { headers: { Authorization: `Bearer ${token}` } }))
      .status;
  const documents = ['api', 'apis', 'apis/platform.dev/v1alpha1', 'openapi/v2', 'openapi/v3'];
  expect(await Promise.all(documents.map(discover))).toEqual(documents.map(() => 200));
  await api.as('admin', 'delete', `${accounts}/robot`).expect(200);
  for (const text of await Promise.all(texts)) {
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'ERROR', problem: { status: 401, code: 'unauthenticated' } });
  }
  const refused = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${other.publicUrl}${path}`, init);
    return [answer.status, answer.headers.get('www-authenticate')?.split(' ')[0]];
  };
  const organizations = `${resources}/organizations`;
  for (const path of [organizations, `${organizations}/none`, '/api/v1/search?q=a', '/api/v1/resources']) {
    expect(await refused(path)).toEqual([401, 'Bearer']);
  }
  expect(await refused(`${organizations}?watch=true`)).toEqual([401, 'Bearer']);
  expect(await refused('/api/v1/batch', { operations: [] })).toEqual([401, 'Bearer']);
  expect(await refused(`/kubernetes/apis/${platform}/roles`)).toEqual([401, 'Bearer']);
  // Attack: the Kubernetes API shows the kinds to everybody with an account, so also to somebody whose account is gone.
  expect(await Promise.all(documents.map(discover))).toEqual(documents.map(() => 401));
});

it('a service account that an operator has signed out can be deleted, alone and with its project', async () => {
  await api.as('admin', 'post', '/api/v1/projects').send({ name: 'bakery' }).expect(201);
  const accounts = '/api/v1/projects/bakery/service-accounts';
  for (const name of ['baker', 'robot']) {
    const claims = { aud: 'bakery', sub: `repo:acme/${name}` };
    const body = { name, issuer_url: 'https://issuer.example', claims };
    const { body: account } = await api.as('admin', 'post', accounts).send(body).expect(201);
    await api.as('operator', 'post', `/api/v1/auth/users/${account.uid}/sign-out`).expect(204);
  }
  await api.as('admin', 'delete', `${accounts}/robot`).expect(200);
  await api.as('admin', 'delete', '/api/v1/projects/bakery').expect(200);
});
