import { type Json, onEveryStore } from './api.ts';
import { given, group, ownerOf, register, resource, v1 } from './kinds.ts';

const platform = 'platform.dev/v1alpha1';

// Attack: somebody who has lost access sends an earlier request again, and gets the answer that was kept.
onEveryStore((api) => {
  let hill: Json;
  let dale: Json;
  let made = 0;

  beforeAll(async () => {
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    hill = await given(api, 'Farm', ['hill']);
    dale = await given(api, 'Farm', ['dale']);
    const rules = [{ apiGroups: [group, 'platform.dev'], resources: ['*'], verbs: ['*'] }];
    await api
      .post(`${platform}/roles`, {
        apiVersion: platform,
        kind: 'Role',
        metadata: { name: 'all' },
        spec: { rules },
      })
      .expect(201);
  });

  afterEach(async () => {
    const { body } = await api.get(`${platform}/rolebindings`);
    for (const { metadata } of body.items) await api.delete(`${platform}/rolebindings/${metadata.name}`);
  });

  function bindingTo(scope: Json, name = `b-${++made}`): Json {
    const { blockOwnerDeletion: _, ...reference } = ownerOf(scope);
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    const spec = { roleRef: { name: 'all' }, subjects, scope: reference };
    return { apiVersion: platform, kind: 'RoleBinding', metadata: { name }, spec };
  }
  const bind = async (scope: Json) =>
    (await api.post(`${platform}/rolebindings`, bindingTo(scope)).expect(201)).body as Json;
  const unbind = ({ metadata }: Json) => api.delete(`${platform}/rolebindings/${metadata.name}`).expect(200);

  const uniform = 'The caller has no access to this API.';
  const at = (path: string) => `/api/v1/resources/${path}`;
  const send = (operations: Json, key: string) =>
    api.send('POST', '/api/v1/batch', 'user').set('Idempotency-Key', key).send({ operations });
  const create = (path: string, kind: string) => ({
    method: 'POST',
    path: at(path),
    body: resource(kind, `n-${++made}`),
  });

  it('a kept answer is given to a caller who still may send the request, and to nobody else', async () => {
    const key = `k-${++made}`;
    const path = `${v1}/fields/hill`;
    const body = resource('Field', `n-${++made}`);
    const post = () => api.post(path, body, 'user').set('Idempotency-Key', key);
    const first = await bind(hill);
    const answer = await post().expect(201);
    expect((await post().expect(201)).text).toBe(answer.text);
    await bind(dale);
    await unbind(first);
    expect((await post().expect(403)).body.detail).toBe(uniform);
    await bind(hill);
    expect((await post().expect(201)).text).toBe(answer.text);
  });

  it('the kept answer to a batch needs the access of each of its operations', async () => {
    const key = `k-${++made}`;
    const operations = [create(`${v1}/fields/hill`, 'Field'), create(`${v1}/fields/dale`, 'Field')];
    const [first] = [await bind(hill), await bind(dale)];
    const answer = await send(operations, key).expect(200);
    expect((await send(operations, key).expect(200)).text).toBe(answer.text);
    await unbind(first);
    const refused = (await send(operations, key).expect(403)).body;
    expect([refused.detail, refused.operation]).toEqual([uniform, 0]);
    await bind(hill);
    expect((await send(operations, key).expect(200)).text).toBe(answer.text);
  });

  it('a batch is repeated when its resources are gone by then', async () => {
    const key = `k-${++made}`;
    await bind(hill);
    const created = create(`${v1}/fields/hill`, 'Field');
    const path = `${created.path}/${created.body.metadata.name}`;
    const operations = [
      created,
      { method: 'PUT', path: `${path}/status`, body: { status: { ok: true } } },
      { method: 'DELETE', path },
      { method: 'POST', path: at(`${platform}/rolebindings`), body: bindingTo(hill) },
    ];
    const answer = await send(operations, key).expect(200);
    expect((await send(operations, key).expect(200)).text).toBe(answer.text);
  });

  it('a batch of nothing is refused to a caller whom no binding names any more', async () => {
    const binding = await bind(hill);
    await send([], `k-${++made}`).expect(200);
    await unbind(binding);
    await send([], `k-${++made}`).expect(403);
    await api.send('GET', '/api/v1/resources', 'user').expect(403);
  });
});
