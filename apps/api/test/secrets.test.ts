import { type Json, onEveryStore, TestApi } from './api.ts';
import { sentBack } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

const platform = 'platform.dev/v1alpha1';
const secrets = `${platform}/secrets/acme`;
const clear = 'aHVudGVyMg==';

const body = (kind: string, name: string, spec: Json): Json => ({
  apiVersion: platform,
  kind,
  metadata: { name },
  spec,
});
const secret = (name: string, spec: Json = { type: 'Opaque', data: { password: clear } }) =>
  body('Secret', name, spec);

async function createOrganization(api: TestApi): Promise<void> {
  await api.post(`${platform}/organizations`, body('Organization', 'acme', {})).expect(201);
}

/** Gives the user these verbs on Secrets, below the organization. */
async function bind(api: TestApi, verbs: readonly string[]): Promise<() => Promise<void>> {
  const role = body('Role', 'on-secrets', {
    rules: [{ apiGroups: ['platform.dev'], resources: ['secrets'], verbs }],
  });
  await api.post(`${platform}/roles`, role).expect(201);
  const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
  const binding = body('RoleBinding', 'on-secrets', { roleRef: { name: 'on-secrets' }, subjects });
  await api.post(`${platform}/rolebindings`, binding).expect(201);
  return async () => {
    await api.delete(`${platform}/rolebindings/on-secrets`).expect(200);
    await api.delete(`${platform}/roles/on-secrets`).expect(200);
  };
}

onEveryStore((api) => {
  beforeAll(() => createOrganization(api));

  it('answers a Secret as it was written, to whoever may get it', async () => {
    const created = await api.post(secrets, secret('plain')).expect(201);
    expect(created.body.spec).toEqual({ type: 'Opaque', data: { password: clear } });
    expect((await api.get(`${secrets}/plain`).expect(200)).body).toEqual(created.body);
    const uid = created.body.metadata.uid;
    expect((await api.get(`${platform}/secrets/uid:${uid}`).expect(200)).body).toEqual(created.body);
    const { body: page } = await api.get(secrets).expect(200);
    expect(page.items.find(({ metadata }: Json) => metadata.name === 'plain')).toEqual(created.body);
  });

  it.each<[type: string, fits: Json, refused: Json, faults: readonly string[]]>([
    ['tls', { 'tls.crt': '', 'tls.key': '' }, { 'tls.crt': clear }, ['tls.key']],
    ['ssh-auth', { 'ssh-privatekey': clear }, { 'ssh-privatekey': '' }, ['ssh-privatekey']],
    ['basic-auth', { password: clear }, { other: clear }, ['username', 'password']],
    ['dockerconfigjson', { '.dockerconfigjson': 'e30=' }, {}, ['.dockerconfigjson']],
    ['dockercfg', { '.dockercfg': 'e30=' }, { '.dockercfg': clear }, ['.dockercfg']],
  ])('requires the keys of the type kubernetes.io/%s', async (name, fits, refused, faults) => {
    const type = `kubernetes.io/${name}`;
    const { body: problem } = await api.post(secrets, secret(name, { type, data: refused })).expect(400);
    expect(problem.errors.map(({ path }: Json) => path)).toEqual(faults.map((key) => `/spec/data/${key}`));
    const { body: created } = await api.post(secrets, secret(name, { type, data: fits })).expect(201);
    const changed = { ...sentBack(created), spec: { type, data: refused } };
    await api.put(`${secrets}/${name}`, changed).expect(400);
  });

  it('merges stringData into data', async () => {
    const spec = { data: { a: 'YQ==', b: 'YQ==' }, stringData: { b: 'b', c: 'grün' } };
    const { body: created } = await api.post(secrets, secret('merged', spec)).expect(201);
    expect(created.spec).toEqual({ data: { a: 'YQ==', b: 'Yg==', c: 'Z3LDvG4=' } });
    const patch = { spec: { stringData: { a: 'z' } } };
    const { body: patched } = await api
      .send('PATCH', `/api/v1/resources/${secrets}/merged`)
      .type('application/merge-patch+json')
      .send(JSON.stringify(patch))
      .expect(200);
    expect(patched.spec).toEqual({ data: { a: 'eg==', b: 'Yg==', c: 'Z3LDvG4=' } });
  });

  it('keeps the generation when a write does not change the values', async () => {
    const { body: created } = await api.post(secrets, secret('still')).expect(201);
    const labelled = sentBack(created);
    labelled.metadata.labels = { a: 'b' };
    const { body: replaced } = await api.put(`${secrets}/still`, labelled).expect(200);
    expect([replaced.metadata.revision, replaced.metadata.generation]).toEqual([2, 1]);
    expect(replaced.spec).toEqual(created.spec);
  });

  it('names every fault', async () => {
    const spec = { type: 1, data: { 'a b': clear, c: '*', d: 1 }, stringData: { e: 1 }, more: 1 };
    const { body: refused } = await api.post(secrets, secret('bad', spec)).expect(400);
    expect(refused.errors.map(({ path }: Json) => path).sort()).toEqual([
      '/spec/data/a b',
      '/spec/data/c',
      '/spec/data/d',
      '/spec/more',
      '/spec/stringData/e',
      '/spec/type',
    ]);
  });

  it('names the keys that its type requires together with faults of other values', async () => {
    const pathsOf = async (spec: Json) => {
      const { body: refused } = await api.post(secrets, secret('bad', spec)).expect(400);
      return refused.errors.map(({ path }: Json) => path);
    };
    const type = 'kubernetes.io/tls';
    expect(await pathsOf({ type, data: { 'tls.crt': clear, c: '*' } })).toEqual([
      '/spec/data/c',
      '/spec/data/tls.key',
    ]);
    expect(await pathsOf({ type, stringData: { 'tls.crt': 'a', c: 1 } })).toEqual([
      '/spec/stringData/c',
      '/spec/data/tls.key',
    ]);
  });

  it('takes a thousand values, and no more', async () => {
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'YQ==']));
    const stored = await api.post(secrets, secret('many', { data: values(1_000) })).expect(201);
    expect(Object.keys(stored.body.spec.data)).toHaveLength(1_000);
    const { body: refused } = await api
      .post(secrets, secret('more', { stringData: values(1_001) }))
      .expect(400);
    const message = 'has 1001 values; at most 1000 are allowed';
    expect(refused.errors).toEqual([{ path: '/spec/data', message }]);
  });

  it('takes values of 1 MiB, as a release of Helm may have, and no more', async () => {
    const of = (bytes: number) => ({ data: { release: Buffer.alloc(bytes, 1).toString('base64') } });
    const { body: created } = await api.post(secrets, secret('large', of(1024 * 1024))).expect(201);
    const { body: read } = await api.get(`${secrets}/large`).expect(200);
    expect(read.spec).toEqual(created.spec);
    const { body: refused } = await api.post(secrets, secret('larger', of(1024 * 1024 + 1))).expect(400);
    expect(refused.errors).toEqual([
      { path: '/spec/data', message: expect.stringContaining('1048577 bytes') },
    ]);
    await api.delete(`${secrets}/large`).expect(200);
  });

  it('keeps the type, and everything of an immutable Secret', async () => {
    const { body: created } = await api
      .post(secrets, secret('fixed', { immutable: true, data: { password: clear } }))
      .expect(201);
    const change = { ...sentBack(created), spec: { type: 'tls', immutable: false, data: {} } };
    const { body: refused } = await api.put(`${secrets}/fixed`, change).expect(400);
    expect(refused.errors.map(({ path }: Json) => path)).toEqual([
      '/spec/immutable',
      '/spec/data',
      '/spec/type',
    ]);
    const worse = { ...change, spec: { ...change.spec, data: { 'a b': clear }, more: 1 } };
    const { body: all } = await api.put(`${secrets}/fixed`, worse).expect(400);
    expect(all.errors.map(({ path }: Json) => path)).toEqual([
      '/spec/data/a b',
      '/spec/more',
      '/spec/immutable',
      '/spec/data',
      '/spec/type',
    ]);
  });

  it('shows values sealed to callers that may list but not get', async () => {
    await api.post(secrets, secret('listed')).expect(201);
    const unbind = await bind(api, ['list']);
    const { text } = await api.get(secrets, 'user').expect(200);
    expect(text).not.toContain(clear);
    expect(text).toMatch(/"password":"v1\.test\./);
    await api.get(`${secrets}/listed`, 'user').expect(403);
    await unbind();
  });

  it('refuses a patch of a Secret to callers that may not get it', async () => {
    await api.post(secrets, secret('guessed')).expect(201);
    const unbind = await bind(api, ['patch', 'update']);
    const copy = [{ op: 'copy', from: '/spec/data/password', path: '/metadata/annotations/seen' }];
    await api
      .send('PATCH', `/api/v1/resources/${secrets}/guessed`, 'user')
      .type('application/json-patch+json')
      .send(JSON.stringify(copy))
      .expect(403);
    await unbind();
  });

  // Attack: somebody guesses a value in dry runs, and looks which guess changes nothing.
  it('answers a right guess in a PUT like a wrong one to callers that may not get it', async () => {
    await api.post(secrets, secret('guessed-by-put')).expect(201);
    await api
      .post(secrets, secret('fixed-guess', { immutable: true, data: { password: clear } }))
      .expect(201);
    const unbind = await bind(api, ['list', 'update']);
    const { body: list } = await api.get(secrets, 'user').expect(200);
    const listed = (name: string) => list.items.find((item: Json) => item.metadata.name === name);
    const answerTo = async (name: string, password: string) => {
      const { immutable } = listed(name).spec;
      const sent = { ...sentBack(listed(name)), spec: { type: 'Opaque', immutable, data: { password } } };
      const path = `/api/v1/resources/${secrets}/${name}?dryRun=true`;
      const { status, body: answer } = await api.send('PUT', path, 'user').send(sent);
      const { generation } = answer.metadata ?? {};
      const isSame = answer.spec?.data.password === listed(name).spec.data.password;
      return { status, generation, isSame, errors: answer.errors };
    };
    for (const name of ['guessed-by-put', 'fixed-guess'])
      expect(await answerTo(name, clear)).toEqual(await answerTo(name, 'd3Jvbmc='));
    await unbind();
  });

  it('holds text and bytes in a ConfigMap', async () => {
    const maps = `${platform}/configmaps/acme`;
    const spec = { data: { 'app.ini': 'a = 1\n' }, binaryData: { logo: 'iVBORw0KGgo=' } };
    const { body: created } = await api.post(maps, body('ConfigMap', 'app', spec)).expect(201);
    expect(created.spec).toEqual(spec);
    const twice = { data: { a: '1' }, binaryData: { a: 'YQ==', b: 'b' } };
    const { body: refused } = await api.post(maps, body('ConfigMap', 'twice', twice)).expect(400);
    expect(refused.errors.map(({ path }: Json) => path)).toEqual(['/spec/binaryData/b']);
  });

  it('lets one of two holders have a Lease', async () => {
    const leases = `${platform}/leases/acme`;
    const spec = {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000001Z',
      renewTime: '2026-01-01T00:00:00.000001Z',
      leaseTransitions: 0,
    };
    const { body: created } = await api.post(leases, body('Lease', 'leader', spec)).expect(201);
    const by = (holder: string) => ({ ...sentBack(created), spec: { ...spec, holderIdentity: holder } });
    const answers = await Promise.all(['b', 'c'].map((holder) => api.put(`${leases}/leader`, by(holder))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const bad = { leaseDurationSeconds: 0, renewTime: 'soon' };
    await api.post(leases, body('Lease', 'bad', bad)).expect(400);
  });

  it('refuses a definition below a built-in kind that has a parent', async () => {
    const definition = body('ResourceDefinition', 'keys.farm.example.dev', {
      group: 'farm.example.dev',
      kind: 'Key',
      plural: 'keys',
      parent: { apiVersion: platform, kind: 'Secret' },
      versions: [{ name: 'v1', served: true, storage: true, schema: {} }],
      allowedStatusControllerIds: [],
    });
    const { body: refused } = await api.post(`${platform}/resourcedefinitions`, definition).expect(400);
    expect(refused.errors).toEqual([
      {
        path: '/spec/parent',
        message: 'of the built-in kinds only those at the root can be a parent, not Secret',
      },
    ]);
  });
});

describe('a Secret in the database', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  const postgres = postgresStore();
  opener = postgres;
  beforeAll(async () => {
    await api.start();
    await createOrganization(api);
  });

  it('stands sealed in its row, its history and kept answers, and nowhere in clear', async () => {
    const { body: created } = await api
      .post(secrets, secret('sealed'))
      .set('Idempotency-Key', 'k')
      .expect(201);
    const repeated = await api.post(secrets, secret('sealed')).set('Idempotency-Key', 'k').expect(201);
    expect(repeated.body).toEqual(created);
    const labelled = sentBack(created);
    labelled.metadata.labels = { a: 'b' };
    await api.put(`${secrets}/sealed`, labelled).expect(200);
    const { text } = await api.get(`${secrets}/sealed/history?full=true`).expect(200);
    expect(text).toMatch(/"password":"v1\.test\./);
    expect(text).not.toContain(clear);
    const { items } = JSON.parse(text);
    expect(items[0].changes.map(({ path }: Json) => path)).not.toContain('/spec/data/password');
    const { text: first } = await api.get(`${secrets}/sealed/history/1`).expect(200);
    expect(first).not.toContain(clear);
    expect(await postgres.textOf(['resources', 'changes', 'answered_requests'])).not.toContain(clear);
    await api.delete(`${secrets}/sealed`).expect(200);
    expect((await api.get(`${secrets}?removed=true`).expect(200)).text).not.toContain(clear);
    expect(JSON.stringify(api.audit.records)).not.toContain(clear);
  });
});
