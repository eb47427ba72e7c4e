import { once } from 'node:events';
import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';
import { organization } from './objects.ts';

interface Event {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly involvedObject: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly reason: string;
}

describe('events', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  const clients = new KubernetesClients(api);
  const at = (path: string, as?: string) => api.send('GET', `/kubernetes/${path}`, as);
  const listed = async (path: string, as?: string): Promise<Event[]> =>
    (await at(path, as).expect(200)).body.items;
  const shown = (events: readonly Event[]) =>
    events.map(({ involvedObject: { kind, name }, reason }) => `${kind}/${name} ${reason}`);
  const configMap = (org: string, name: string) =>
    api
      .post(`platform.dev/v1alpha1/configmaps/${org}`, {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ConfigMap',
        metadata: { name },
        spec: {},
      })
      .expect(201);

  beforeAll(async () => {
    const uids = new Map<string, string>();
    for (const name of ['acme', 'umbrella']) {
      const { body } = await api.post('platform.dev/v1alpha1/organizations', organization(name)).expect(201);
      uids.set(name, body.metadata.uid);
    }
    await configMap('acme', 'one');
    await configMap('umbrella', 'two');
    await api
      .send('PATCH', '/api/v1/resources/platform.dev/v1alpha1/configmaps/acme/one')
      .set('Content-Type', 'application/merge-patch+json')
      .send('{"metadata":{"labels":{"tier":"front"}}}')
      .expect(200);
    const rules = [{ apiGroups: ['platform.dev'], resources: ['configmaps/history'], verbs: ['get'] }];
    const base = { apiVersion: 'platform.dev/v1alpha1' };
    await api
      .post('platform.dev/v1alpha1/roles', {
        ...base,
        kind: 'Role',
        metadata: { name: 'r' },
        spec: { rules },
      })
      .expect(201);
    const scope = { ...base, kind: 'Organization', name: 'acme', uid: uids.get('acme') };
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    await api
      .post('platform.dev/v1alpha1/rolebindings', {
        ...base,
        kind: 'RoleBinding',
        metadata: { name: 'b' },
        spec: { roleRef: { name: 'r' }, subjects, scope },
      })
      .expect(201);
  });

  it('of a namespace, of all, and of one object are listed in their order', async () => {
    expect(shown(await listed('api/v1/namespaces/acme/events'))).toEqual([
      'ConfigMap/one Created',
      'ConfigMap/one Patched',
    ]);
    expect(shown(await listed('api/v1/events'))).toEqual(
      expect.arrayContaining(['Namespace/acme Created', 'ConfigMap/two Created']),
    );
    const one = 'fieldSelector=involvedObject.kind%3DConfigMap,involvedObject.name%3Done';
    expect(await listed(`api/v1/namespaces/acme/events?${one}`)).toHaveLength(2);
    expect(await listed(`api/v1/namespaces/umbrella/events?${one}`)).toEqual([]);
    expect(shown(await listed('api/v1/events?fieldSelector=reason%3DPatched'))).toEqual([
      'ConfigMap/one Patched',
    ]);
    expect(shown(await listed('api/v1/namespaces/default/events'))).toContain('Namespace/umbrella Created');
    const { body } = await at('apis/events.k8s.io/v1/namespaces/acme/events').expect(200);
    expect(body.items[0]).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'ConfigMap', name: 'one', namespace: 'acme' },
    });
  });

  it('of one object are the same at each version of its kind, whatever other groups have the kind', async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('versions')).expect(201);
    for (const group of ['example.dev', 'example.org']) {
      const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1' }));
      const parent = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' };
      const plural = group === 'example.dev' ? 'widgets' : 'others';
      const spec = { group, kind: 'Widget', plural, parent, versions, allowedStatusControllerIds: [] };
      await api
        .post('platform.dev/v1alpha1/resourcedefinitions', {
          apiVersion: 'platform.dev/v1alpha1',
          kind: 'ResourceDefinition',
          metadata: { name: `${plural}.${group}` },
          spec,
        })
        .expect(201);
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' } };
      await api.post(`${group}/v1/${plural}/versions`, widget).expect(201);
    }
    const named = 'involvedObject.kind%3DWidget,involvedObject.name%3Dw';
    const versionsOf = async (selector: string) =>
      (await listed(`api/v1/namespaces/versions/events?fieldSelector=${selector}`)).map(
        ({ involvedObject: { apiVersion } }) => apiVersion,
      );
    for (const apiVersion of ['example.dev/v1', 'example.dev/v2', 'example.org/v1', 'example.org/v2'])
      expect(await versionsOf(`${named},involvedObject.apiVersion%3D${apiVersion}`)).toEqual([apiVersion]);
    expect(await versionsOf(named)).toEqual(['example.dev/v1', 'example.org/v1']);
    expect(await versionsOf(`${named},involvedObject.apiVersion%3Dexample.dev/v3`)).toEqual([]);
  });

  it('are read by name, and have names and uids of their own', async () => {
    const events = await listed('api/v1/namespaces/acme/events');
    expect(new Set(events.map(({ metadata }) => metadata.uid)).size).toBe(2);
    expect(events.map(({ metadata }) => metadata.uid)).not.toContain(events[0]?.involvedObject.uid);
    const name = events[0]?.metadata.name;
    expect((await at(`api/v1/namespaces/acme/events/${name}`).expect(200)).body).toEqual({
      ...events[0],
      kind: 'Event',
      apiVersion: 'v1',
    });
    await at(`api/v1/namespaces/umbrella/events/${name}`).expect(404);
    await at('api/v1/namespaces/acme/events/none').expect(404);
  });

  it('refuse fields that events have not, writes, and callers who may read no history', async () => {
    const refused = await at('api/v1/events?fieldSelector=spec.nodeName%3Da').expect(400);
    expect(refused.body.message).toBe('field label not supported: spec.nodeName');
    await api.send('POST', '/kubernetes/api/v1/namespaces/acme/events').send({}).expect(405);
    const { body } = await at('api/v1/namespaces/acme/events', 'serviceaccount').expect(403);
    expect(body.reason).toBe('Forbidden');
  });

  it('may be listed by those of whom an access review says so', async () => {
    const review = async (spec: object, as: string, plural = 'selfsubjectaccessreviews') => {
      const path = `/kubernetes/apis/authorization.k8s.io/v1/${plural}`;
      return (await api.send('POST', path, as).send({ spec }).expect(201)).body.status;
    };
    const may = async (verb: string, group: string, as: string, namespace = 'acme') =>
      (await review({ resourceAttributes: { verb, group, resource: 'events', namespace } }, as)).allowed;
    for (const group of ['', 'events.k8s.io']) {
      for (const verb of ['get', 'list', 'watch']) {
        expect(await may(verb, group, 'user')).toBe(true);
        expect(await may(verb, group, 'user', '')).toBe(true);
        expect(await may(verb, group, 'serviceaccount')).toBe(false);
      }
      expect(await may('create', group, 'user')).toBe(false);
    }
    expect(await may('list', 'example.dev', 'user')).toBe(false);
    const rule = { verbs: ['get', 'list', 'watch'], resources: ['events'] };
    const rules = async (as: string) =>
      (await review({ namespace: 'acme' }, as, 'selfsubjectrulesreviews')).resourceRules;
    expect(await rules('user')).toContainEqual(expect.objectContaining(rule));
    expect(await rules('serviceaccount')).not.toContainEqual(expect.objectContaining(rule));
  });

  it('contain only those of objects whose history the caller may read', async () => {
    expect(shown(await listed('api/v1/events', 'user'))).toEqual([
      'ConfigMap/one Created',
      'ConfigMap/one Patched',
    ]);
    expect(await listed('api/v1/namespaces/umbrella/events', 'user')).toEqual([]);
    const [event] = await listed('api/v1/namespaces/umbrella/events');
    await at(`api/v1/namespaces/umbrella/events/${event?.metadata.name}`, 'user').expect(404);
  });

  describeWith('kubectl')('with kubectl (skipped where it is not installed)', () => {
    it('are a table, and are watched', async () => {
      const table = await clients.kubectl('get', 'events');
      expect(table).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/);
      expect(table).toMatch(/Normal +Patched +configmap\/one +Patched by operator/);
      expect(await clients.kubectl('events', '--for', 'configmap/one')).toMatch(/Created +ConfigMap\/one/);
      expect(await clients.kubectl('events', '-A')).toMatch(/umbrella .*ConfigMap\/two/);
      const watching = clients.start('kubectl', ['get', 'events', '-w', '--no-headers']);
      let seen = '';
      watching.stdout.on('data', (chunk) => {
        seen += chunk;
      });
      while (!seen.includes('Patched')) await once(watching.stdout, 'data');
      await configMap('umbrella', 'hidden');
      await configMap('acme', 'three');
      while (!seen.includes('configmap/three')) await once(watching.stdout, 'data');
      watching.kill();
      await once(watching, 'exit');
      expect(seen).not.toContain('hidden');
    });
  });
});
