import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { describeWith, KubernetesClients, patience } from './kubernetes-clients.ts';
import { organization } from './objects.ts';

describeWith('kubectl')('kubectl auth and describe (skipped where it is not installed)', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  const clients = new KubernetesClients(api);
  const asUser = async (...parameters: string[]) =>
    (await clients.run('kubectl', parameters, { user: 'user' })).stdout.trim();

  beforeAll(async () => {
    const { body } = await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    const { uid, name } = body.metadata;
    await api
      .post('platform.dev/v1alpha1/rolebindings', {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'RoleBinding',
        metadata: { name: 'readers' },
        spec: {
          roleRef: { name: 'reader' },
          subjects: [{ kind: 'User', name: 'dev@example.dev' }],
          scope: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', name, uid },
        },
      })
      .expect(201);
    await api
      .post('platform.dev/v1alpha1/roles', {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Role',
        metadata: { name: 'reader' },
        spec: { rules: [{ apiGroups: ['platform.dev'], resources: ['configmaps'], verbs: ['get', 'list'] }] },
      })
      .expect(201);
  });

  it('says who the caller is and what it may do', async () => {
    expect(await asUser('auth', 'whoami')).toContain('dev@example.dev');
    expect(await asUser('auth', 'can-i', 'get', 'configmaps')).toBe('yes');
    expect(await asUser('auth', 'can-i', 'delete', 'configmaps')).toBe('no');
    expect(await asUser('auth', 'can-i', 'get', 'configmaps', '-n', 'other')).toBe('no');
    expect(await asUser('auth', 'can-i', '--list')).toMatch(/configmaps\.platform\.dev .*\[get list\]/);
    expect(await clients.kubectl('auth', 'can-i', '*', '*')).toBe('yes\n');
  });

  it('waits for one object with a role that names it', async () => {
    await clients.kubectl('create', 'configmap', 'one', '-n', 'acme', '--from-literal=a=b');
    await clients.kubectl('create', 'configmap', 'two', '-n', 'acme', '--from-literal=a=b');
    const only = (name: string, spec: object) => ({
      apiVersion: 'platform.dev/v1alpha1',
      metadata: { name },
      ...spec,
    });
    const rules = [
      {
        apiGroups: ['platform.dev'],
        resources: ['configmaps'],
        resourceNames: ['one'],
        verbs: ['get', 'list', 'watch'],
      },
    ];
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    await api
      .post('platform.dev/v1alpha1/roles', only('one-only', { kind: 'Role', spec: { rules } }))
      .expect(201);
    await api.delete('platform.dev/v1alpha1/rolebindings/readers').expect(200);
    const binding = only('one-only', {
      kind: 'RoleBinding',
      spec: { roleRef: { name: 'one-only' }, subjects },
    });
    await api.post('platform.dev/v1alpha1/rolebindings', binding).expect(201);
    const path = ['-n', 'acme', '--for=jsonpath={.data.a}=b', patience];
    expect(await asUser('wait', 'configmap/one', ...path)).toContain('condition met');
    const refused = await clients.run('kubectl', ['wait', 'configmap/two', ...path], { user: 'user' });
    expect(refused.stderr).toContain('forbidden');
    const all = await clients.run('kubectl', ['get', 'configmaps', '-n', 'acme'], { user: 'user' });
    expect(all.stderr).toContain('forbidden');
  });

  it('shows the history of an object as its events', async () => {
    await clients.kubectl('create', 'configmap', 'settings', '--from-literal=a=b');
    await clients.kubectl('label', 'configmap', 'settings', 'tier=front');
    const described = await clients.kubectl('describe', 'configmap', 'settings');
    expect(described).toMatch(/Normal +Created/);
    expect(described).toMatch(/Normal +Patched .*Op@Example\.dev/);
  });
});
