import { randomUUID } from 'node:crypto';
import { type Json, TestApi } from './api.ts';
import { given, group, ownerOf, register, resource, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

const platform = 'platform.dev/v1alpha1';

describe('the verb restore', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore();
  let hill: Json;
  let dale: Json;

  beforeAll(async () => {
    await api.start();
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    await register(api, 'Row', { parent: { apiVersion: v1, kind: 'Field' } });
    hill = await given(api, 'Farm', ['hill']);
    dale = await given(api, 'Farm', ['dale']);
    await role('all', ['farms', 'fields', 'rows']);
    await role('fields', ['fields']);
    await role('access', ['roles', 'rolebindings'], ['platform.dev']);
  });

  afterEach(async () => {
    const { body } = await api.get(`${platform}/rolebindings`);
    for (const { metadata } of body.items) await api.delete(`${platform}/rolebindings/${metadata.name}`);
  });

  async function role(name: string, resources: readonly string[], apiGroups = [group]): Promise<void> {
    const spec = { rules: [{ apiGroups, resources, verbs: ['restore', 'get'] }] };
    await api
      .post(`${platform}/roles`, { apiVersion: platform, kind: 'Role', metadata: { name }, spec })
      .expect(201);
  }

  async function bind(name: string, scope: Json | null = null): Promise<void> {
    const { blockOwnerDeletion: _, ...reference } =
      scope === null ? { blockOwnerDeletion: 0 } : ownerOf(scope);
    const spec = {
      roleRef: { name },
      subjects: [{ kind: 'User', name: 'dev@example.dev' }],
      ...(scope === null ? {} : { scope: reference }),
    };
    await api
      .post(`${platform}/rolebindings`, {
        apiVersion: platform,
        kind: 'RoleBinding',
        spec,
        metadata: { name: `b-${randomUUID()}` },
      })
      .expect(201);
  }

  it('shows removed RoleBindings to callers with a scope while their scope exists', async () => {
    const bindings = `${platform}/rolebindings`;
    const rules = [{ apiGroups: ['platform.dev'], resources: ['rolebindings'], verbs: ['list'] }];
    const lister = { apiVersion: platform, kind: 'Role', metadata: { name: 'lister' }, spec: { rules } };
    await api.post(`${platform}/roles`, lister).expect(201);
    const field = await given(api, 'Field', ['hill', 'gone']);
    for (const scope of [hill, field, dale, null]) await bind('fields', scope);
    const { items } = (await api.get(bindings).expect(200)).body as Json;
    for (const { metadata } of items) await api.delete(`${bindings}/${metadata.name}`).expect(200);
    await bind('lister', hill);
    const listed = async (query = '') => {
      const { body } = await api.get(`${bindings}?removed=true${query}`, 'user').expect(200);
      return body as Json;
    };
    const scopesOf = ({ items: shown }: Json) => shown.map(({ spec }: Json) => spec.scope?.name ?? null);
    expect(scopesOf(await listed())).toEqual(expect.arrayContaining(['hill', 'gone']));
    expect((await listed()).items).toHaveLength(2);
    const first = await listed('&limit=1');
    const rest = await listed(`&limit=1&continue=${first.metadata.continue}`);
    expect([...scopesOf(first), ...scopesOf(rest)]).toEqual(scopesOf(await listed()));
    // The scope of a removed binding is gone, what it was below is not.
    await api.delete(`${v1}/fields/hill/gone`).expect(200);
    expect(scopesOf(await listed())).toEqual(scopesOf({ items: [...first.items, ...rest.items] }));
    const { body } = await api.get(`${bindings}?removed=true`).expect(200);
    expect(body.items).toHaveLength(4);
  });

  const restoring = (path: string, { metadata }: Json, as = 'user') =>
    api.post(`${path}/uid:${metadata.uid}/restore`, {}, as);

  async function removed(names: readonly string[], changes: Json = {}): Promise<Json> {
    const field = await given(api, 'Field', names, changes);
    await api.delete(`${v1}/fields/${names.join('/')}`);
    await (api.store.collect as () => Promise<void>)();
    return field;
  }

  it('restores in the scope of the parent, and nowhere else', async () => {
    await bind('all', hill);
    await restoring(`${v1}/fields`, await removed(['hill', 'a'])).expect(201);
    await restoring(`${v1}/fields`, await removed(['dale', 'a'])).expect(403);
  });

  it('gives the same 403 for what exists, what is gone and what never was outside of the scope', async () => {
    const gone = await removed(['dale', 'b']);
    const there = await given(api, 'Field', ['dale', 'c']);
    const answerTo = async (resource: Json) => {
      const { body, status } = await restoring(`${v1}/fields`, resource).set('X-Request-Id', 'same');
      return JSON.stringify([status, { ...body, instance: '' }]);
    };
    const none = { metadata: { uid: randomUUID() } };
    await bind('all', hill);
    const answers = new Set(await Promise.all([gone, there, none, dale].map(answerTo)));
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('403');
    await restoring(`${v1}/fields`, await given(api, 'Field', ['hill', 'b'])).expect(409);
  });

  it('is needed for every kind that comes back', async () => {
    const field = await given(api, 'Field', ['hill', 'deep']);
    await api.post(`${v1}/rows/hill/deep`, resource('Row', 'first')).expect(201);
    await api.delete(`${v1}/fields/hill/deep`);
    await (api.store.collect as () => Promise<void>)();
    await bind('fields', hill);
    await restoring(`${v1}/fields`, field).expect(403);
    await api
      .post(`${v1}/fields/uid:${field.metadata.uid}/restore`, { dependents: false }, 'user')
      .expect(201);
    await api.get(`${v1}/rows/hill/deep/first`).expect(404);
  });

  it('is not needed by operators, and not enough for a role that grants more than its holder has', async () => {
    const body = {
      apiVersion: platform,
      kind: 'Role',
      metadata: { name: 'mighty' },
      spec: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    };
    const mighty = (await api.post(`${platform}/roles`, body).expect(201)).body;
    await api.delete(`${platform}/roles/mighty`).expect(200);
    await bind('access');
    await restoring(`${platform}/roles`, mighty).expect(403);
    await restoring(`${platform}/roles`, mighty, 'operator').expect(201);
  });

  it('hides an owner that the caller may not see like one that is gone', async () => {
    const field = await removed(['hill', 'owned'], { metadata: { ownerReferences: [ownerOf(dale)] } });
    await bind('all', hill);
    const { body } = await restoring(`${v1}/fields`, field).expect(409);
    expect(body.missing).toMatchObject([{ relationship: 'owner', name: 'dale' }]);
    expect(body.missing[0]).not.toHaveProperty('terminating');
  });

  it('is asked for again before a kept answer is repeated', async () => {
    const field = await removed(['hill', 'kept']);
    await bind('all', hill);
    await restoring(`${v1}/fields`, field).set('Idempotency-Key', 'k').expect(201);
    await restoring(`${v1}/fields`, field).set('Idempotency-Key', 'k').expect(201);
    const { body } = await api.get(`${platform}/rolebindings`);
    for (const { metadata } of body.items) await api.delete(`${platform}/rolebindings/${metadata.name}`);
    await restoring(`${v1}/fields`, field).set('Idempotency-Key', 'k').expect(403);
  });

  // Attack: the verb in one scope is kept, and the answer shows what was restored in another.
  it.each(['alone', 'in a batch'])('is asked for again for all that a kept answer shows, %s', async (how) => {
    const owned = await given(api, 'Field', ['hill', 'owner']);
    const changes = { metadata: { ownerReferences: [ownerOf(owned)] } };
    await given(api, 'Field', ['dale', 'dependent'], changes);
    await api.delete(`${v1}/fields/hill/owner`);
    await (api.store.collect as () => Promise<void>)();
    await bind('all', hill);
    await bind('all', dale);
    const path = `/api/v1/resources/${v1}/fields/uid:${owned.metadata.uid}/restore`;
    const again = () =>
      (how === 'alone'
        ? api.send('POST', path, 'user').send({})
        : api.send('POST', '/api/v1/batch', 'user').send({ operations: [{ method: 'POST', path, body: {} }] })
      ).set('Idempotency-Key', `k-${how.length}`);
    const first = await again();
    expect([first.status < 300, first.text]).toEqual([true, expect.stringContaining('dependent')]);
    expect((await again()).text).toBe(first.text);
    const { body } = await api.get(`${platform}/rolebindings`);
    const toDale = body.items.find(({ spec }: Json) => spec.scope.name === 'dale');
    await api.delete(`${platform}/rolebindings/${toDale.metadata.name}`).expect(200);
    expect((await again().expect(403)).text).not.toContain('dependent');
    for (const name of ['hill/owner', 'dale/dependent']) await api.delete(`${v1}/fields/${name}`);
    await (api.store.collect as () => Promise<void>)();
  });

  it('brings back a binding with its scope, so that it covers the restored resource', async () => {
    const farm = await given(api, 'Farm', ['scoped']);
    const { blockOwnerDeletion: _, ...scope } = ownerOf(farm);
    await api
      .post(`${platform}/rolebindings`, {
        apiVersion: platform,
        kind: 'RoleBinding',
        metadata: { name: 'scoped', ownerReferences: [ownerOf(farm)] },
        spec: { roleRef: { name: 'all' }, subjects: [{ kind: 'User', name: 'dev@example.dev' }], scope },
      })
      .expect(201);
    await api.delete(`${v1}/farms/scoped`);
    await (api.store.collect as () => Promise<void>)();
    const { body } = await restoring(`${v1}/farms`, farm, 'operator').expect(201);
    const binding = (await api.get(`${platform}/rolebindings/scoped`).expect(200)).body;
    expect(binding.spec.scope.uid).toBe(body.restored[0].resource.metadata.uid);
    await restoring(`${v1}/fields`, await removed(['scoped', 'a'])).expect(201);
  });
});
