import { type Json, TestApi } from './api.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

const platform = 'platform.dev/v1alpha1';

// Attack: somebody has lost `get` on Secrets, and reads the values from the answer that was kept for an earlier request.
describe('a kept answer with the values of a Secret', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore();

  const secret = `${platform}/secrets/acme/db`;
  const password = Buffer.from('hunter2').toString('base64');
  const uniform = 'The caller has no access to this API.';

  const create = (path: string, kind: string, name: string, spec: Json) =>
    api.post(`${platform}/${path}`, { apiVersion: platform, kind, metadata: { name }, spec }).expect(201);
  const role = (name: string, verbs: readonly string[]) =>
    create('roles', 'Role', name, {
      rules: [{ apiGroups: ['platform.dev'], resources: ['secrets'], verbs }],
    });
  const bind = (name: string) =>
    create('rolebindings', 'RoleBinding', name, {
      roleRef: { name },
      subjects: [{ kind: 'User', name: 'dev@example.dev' }],
    });
  const unbind = (name: string) => api.delete(`${platform}/rolebindings/${name}`).expect(200);

  beforeAll(async () => {
    await api.start();
    await create('organizations', 'Organization', 'acme', { displayName: 'Acme' });
    await role('readers', ['get']);
    await role('writers', ['patch', 'restore']);
    await bind('writers');
  });

  beforeEach(async () => {
    await create('secrets/acme', 'Secret', 'db', { data: { password } });
    await bind('readers');
  });

  afterEach(async () => {
    await unbind('readers');
    await api.delete(secret);
  });

  it('is given after a PATCH in a batch to callers who may still get it', async () => {
    const operation = {
      method: 'PATCH',
      path: `/api/v1/resources/${secret}`,
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: { metadata: { labels: { seen: 'yes' } } },
    };
    const send = () =>
      api
        .send('POST', '/api/v1/batch', 'user')
        .set('Idempotency-Key', 'patch')
        .send({ operations: [operation] });
    const answer = await send().expect(200);
    expect(answer.text).toContain(password);
    await unbind('readers');
    expect((await send().expect(403)).body).toMatchObject({ detail: uniform, operation: 0 });
    await bind('readers');
    await api.delete(secret).expect(200);
    expect((await send().expect(200)).text).toBe(answer.text);
  });

  it('is given after a restore to callers who may still get it', async () => {
    const { uid } = (await api.get(secret).expect(200)).body.metadata;
    await api.delete(secret).expect(200);
    const send = () =>
      api.post(`${platform}/secrets/uid:${uid}/restore`, {}, 'user').set('Idempotency-Key', 'restore');
    const answer = await send().expect(201);
    expect(answer.text).toContain(password);
    await unbind('readers');
    expect((await send().expect(403)).body.detail).toBe(uniform);
    await bind('readers');
    expect((await send().expect(201)).text).toBe(answer.text);
  });
});
