import type { AddressInfo } from 'node:net';
import { type Json, TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { Watching } from '../watching.ts';
import { crd, organization, widget } from './objects.ts';

const core = '/kubernetes/api/v1';
const secret = (name: string, password: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData: { password },
});
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('streams of the Kubernetes API', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  const watch = (path: string, as?: string) => {
    const { port } = api.server.address() as AddressInfo;
    return Watching.open(port, `${core}${path}${path.includes('?') ? '&' : '?'}watch=true`, {}, as);
  };
  const create = (path: string, object: object) =>
    api.send('POST', `${core}${path}`).send(object).expect(201);
  const list = async (path: string, query = '') => (await api.send('GET', `${core}${path}${query}`)).body;
  const platform = 'platform.dev/v1alpha1';
  const write = (plural: string, kind: string, name: string, spec: Json) =>
    api.post(`${platform}/${plural}`, { apiVersion: platform, kind, metadata: { name }, spec }).expect(201);

  beforeAll(async () => {
    await api.post(`${platform}/organizations`, organization('acme')).expect(201);
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    for (const verbs of [['list', 'watch'], ['get']]) {
      const name = verbs.join('-');
      await write('roles', 'Role', name, {
        rules: [{ apiGroups: ['platform.dev'], resources: ['secrets'], verbs }],
      });
    }
    await write('rolebindings', 'RoleBinding', 'watchers', { roleRef: { name: 'list-watch' }, subjects });
  });

  const passwords = ({ events }: Watching) =>
    events.filter(({ type }) => type !== 'BOOKMARK').map(({ object }) => object.data.password);

  it('show the values of Secrets to callers that may get them, and sealed ones to others', async () => {
    await create('/namespaces/acme/secrets', secret('one', 'hunter2'));
    const all = await watch('/namespaces/acme/secrets');
    const sealed = await watch('/namespaces/acme/secrets', 'user');
    await create('/namespaces/acme/secrets', secret('two', 'hunter3'));
    await all.until(({ events }) => events.length === 2);
    await sealed.until(({ events }) => events.length === 2);
    expect(passwords(all)).toEqual([btoa('hunter2'), btoa('hunter3')]);
    expect(passwords(sealed).every((one) => one.length > 60 && !one.includes(btoa('hunter')))).toBe(true);
    // Clients with types read every value as base64.
    const listed = await api.send('GET', `${core}/namespaces/acme/secrets`, 'user').expect(200);
    const values = listed.body.items.map(({ data }: Json) => data.password);
    for (const value of [...passwords(sealed), ...values]) expect(atob(value)).toMatch(/^v1\.test\./);
    // The role that allows `get` applies to the open stream, too.
    await write('rolebindings', 'RoleBinding', 'getters', {
      roleRef: { name: 'get' },
      subjects: [{ kind: 'User', name: 'dev@example.dev' }],
    });
    for (let n = 0; !passwords(sealed).includes(btoa('hunter4')); n += 1) {
      expect(n).toBeLessThan(100);
      await create('/namespaces/acme/secrets', secret(`more-${n}`, 'hunter4'));
      await sealed.until(({ events }) => events.length === 3 + n);
    }
    for (const one of [all, sealed]) one.response.destroy();
  });

  it('hide values again, and end, when the bindings that allowed them are taken away', async () => {
    const sealed = await watch('/namespaces/acme/secrets', 'user');
    const remove = (name: string) => api.delete(`${platform}/rolebindings/${name}`).expect(200);
    let made = 0;
    const next = async () => {
      const name = `after-${made}`;
      made += 1;
      await create('/namespaces/acme/secrets', secret(name, name));
      await sealed.until(
        ({ events, isOver }) => isOver || events.some((each) => each.object.metadata?.name === name),
      );
      return passwords(sealed).at(-1) === btoa(name);
    };
    expect(await next()).toBe(true);
    await remove('getters');
    for (let n = 0; await next(); n += 1) expect(n).toBeLessThan(100);
    await remove('watchers');
    await sealed.until(({ isOver }) => isOver);
    expect(sealed.events.at(-1)).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 403 } });
    const shown = JSON.stringify(sealed.events);
    await create('/namespaces/acme/secrets', secret('unseen', 'unseen'));
    expect(JSON.stringify(sealed.events)).toBe(shown);
    await api.send('GET', `${core}/namespaces/acme/secrets?watch=true`, 'user').expect(403);
  });

  it('of a namespace that does not exist are empty, and show what is created there', async () => {
    const { metadata } = await list('/namespaces/later/configmaps');
    const fromList = await watch(`/namespaces/later/configmaps?resourceVersion=${metadata.resourceVersion}`);
    const initial = await watch(
      '/namespaces/later/configmaps?sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
    );
    await initial.until(({ events }) => events.length === 1);
    expect(initial.events[0]).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    const blueprint =
      initial.events[0].object.metadata.annotations['kubernetes.io/initial-events-list-blueprint'];
    expect(JSON.parse(atob(blueprint))).toEqual({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: {},
      items: [],
    });
    await api.post(`${platform}/organizations`, organization('later')).expect(201);
    await create('/namespaces/acme/configmaps', configMap('elsewhere'));
    await create('/namespaces/later/configmaps', configMap('here'));
    // A stream that was silent for a while sends another bookmark.
    const changesIn = ({ events }: Watching) => events.filter(({ type }) => type !== 'BOOKMARK');
    for (const one of [fromList, initial]) {
      await one.until(() => changesIn(one).length > 0);
      expect(changesIn(one)).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'here' } } }]);
      one.response.destroy();
    }
  });

  it('as Table keep the columns of their first event when the definition has others', async () => {
    const group = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
    const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await api.send('POST', definitions).send(crd).expect(201);
    const { port } = api.server.address() as AddressInfo;
    const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const watching = await Watching.open(port, `${group}?watch=true&includeObject=None`, headers);
    const make = (name: string) =>
      api
        .send('POST', group)
        .send(widget(name, { size: 'small', color: 'red' }))
        .expect(201);
    await make('before');
    await watching.until(({ events }) => events.length === 1);
    const columns = [
      { op: 'replace', path: '/spec/versions/0/additionalPrinterColumns/0/jsonPath', value: '.spec.color' },
    ];
    await api
      .send('PATCH', `${definitions}/widgets.example.dev`)
      .set('Content-Type', 'application/json-patch+json')
      .send(JSON.stringify(columns))
      .expect(200);
    await make('later');
    await watching.until(({ events }) => events.length === 2);
    expect(watching.events.map(({ object }) => object.rows[0].cells)).toEqual([
      ['before', 'small'],
      ['later', 'small'],
    ]);
    watching.response.destroy();
    const { body } = await api.send('GET', group).set(headers).expect(200);
    expect(body.rows[1].cells).toEqual(['later', 'red']);
  });

  it('have an older form of path, which the client for Ruby asks', async () => {
    await create('/namespaces/acme/configmaps', configMap('older'));
    const { port } = api.server.address() as AddressInfo;
    const below = `${core}/watch/namespaces/acme`;
    for (const path of [
      `${below}/configmaps`,
      `${below}/configmaps/older`,
      `${core}/watch/configmaps`,
      below,
    ]) {
      const stream = await Watching.open(port, `${path}?timeoutSeconds=60`, {});
      const name = path === below ? 'acme' : 'older';
      const isShown = ({ type, object }: Json) => type === 'ADDED' && object.metadata.name === name;
      await stream.until(({ events }) => events.some(isShown));
      stream.response.destroy();
    }
    const events = await Watching.open(port, `${below}/events`, {});
    await events.until((stream) =>
      stream.events.some(({ object }) => object.involvedObject.name === 'older'),
    );
    events.response.destroy();
    await api.send('GET', `${below}/configmaps?resourceVersion=a`).expect(422);
    await api.send('POST', `${below}/configmaps`).send(configMap('posted')).expect(405);
    await api.send('DELETE', `${below}/configmaps/older`).expect(405);
    await api.send('GET', `${core}/watch`).expect(404);
    await api.send('DELETE', `${core}/namespaces/acme/configmaps/older`).expect(200);
  });

  it('send no bookmark that was not asked for', async () => {
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const stream = await watch(`/namespaces/silent/configmaps?${query}`);
    await api.post(`${platform}/organizations`, organization('silent')).expect(201);
    await create('/namespaces/silent/configmaps', configMap('first'));
    await stream.until(({ events }) => events.length === 1);
    expect(stream.events[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'first' } } });
    stream.response.destroy();
  });

  it('of events begin with those that are there', async () => {
    const stream = await watch('/namespaces/acme/events?fieldSelector=involvedObject.kind=Secret');
    await stream.until(({ events }) => events.length >= 2);
    const { length } = stream.events;
    expect(stream.events[0]).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Event', reason: 'Created', involvedObject: { name: 'one' } },
    });
    await create('/namespaces/acme/secrets', secret('last', 'x'));
    await stream.until(({ events }) => events.length > length);
    expect(stream.events.at(-1)?.object.involvedObject.name).toBe('last');
    stream.response.destroy();
  });

  it('of events leave out the Leases of the platform, and no other kind of that name', async () => {
    const versions = [{ name: 'v1', served: true, storage: true }];
    const spec = { group: 'example.org', kind: 'Lease', plural: 'carleases', versions };
    await write('resourcedefinitions', 'ResourceDefinition', 'carleases.example.org', spec);
    const stream = await watch('/events?fieldSelector=involvedObject.kind=Lease');
    await write('leases/acme', 'Lease', 'leader', {});
    const sedan = { ...configMap('sedan'), apiVersion: 'example.org/v1', kind: 'Lease' };
    await api.post('example.org/v1/carleases', sedan).expect(201);
    await stream.until(({ events }) => events.length > 0);
    expect(stream.events.map(({ object }) => object.involvedObject.name)).toEqual(['sedan']);
    stream.response.destroy();
  });

  it('and lists of an exact version are that of the present until it changes', async () => {
    const path = '/namespaces/acme/configmaps';
    const { metadata } = await list(path);
    const exact = `?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    await create('/namespaces/later/configmaps', configMap('unrelated'));
    expect((await list(path, exact)).metadata).toEqual(metadata);
    await create(path, configMap('new'));
    expect(await list(path, exact)).toMatchObject({ code: 410, reason: 'Expired' });
    const newer = `?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`;
    expect((await list(path, newer)).items).toHaveLength(2);
  });

  it.each([
    ['?resourceVersionMatch=Exact', 422, 'resourceVersionMatch: '],
    ['?resourceVersion=0&resourceVersionMatch=Exact', 422, 'forbidden for resourceVersion "0"'],
    ['?resourceVersion=0&resourceVersionMatch=Latest', 422, 'Exact and NotOlderThan'],
    ['?resourceVersion=nonsense', 422, 'must be a number that was read'],
    ['?resourceVersion=1&resourceVersionMatch=Exact', 410, 'too old resource version'],
    ['?resourceVersion=2345&resourceVersionMatch=Exact', 410, 'too old resource version'],
    ['?resourceVersion=0&resourceVersionMatch=NotOlderThan&continue=x', 422, 'continue is provided'],
    ['?resourceVersion=25&continue=x', 400, 'not allowed when using continue'],
    ['?continue=x', 400, 'continue key is not valid'],
    ['?sendInitialEvents=true', 422, 'forbidden for list'],
    ['?watch=true&resourceVersionMatch=NotOlderThan', 422, 'unless sendInitialEvents'],
    ['?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact', 422, 'to NotOlderThan'],
    ['?watch=true&sendInitialEvents=true', 422, 'sendInitialEvents requires setting resourceVersionMatch'],
    ['?watch=true&sendInitialEvents=false', 422, 'sendInitialEvents requires setting resourceVersionMatch'],
  ])('refuse %s', async (query, code, message) => {
    const status = await list('/namespaces/acme/configmaps', query);
    expect(status).toMatchObject({ kind: 'Status', code });
    expect(status.message).toContain(message);
  });

  // Otherwise `RetryWatcher` of client-go would ask again without end: it does not read the body of a refused watch.
  it.each(['configmaps', 'events'])(
    'of %s end with the event of a version that is too old',
    async (plural) => {
      for (const version of ['1', '2345', '123456', '99999999']) {
        const stream = await watch(`/namespaces/acme/${plural}?resourceVersion=${version}`);
        await stream.until(({ isOver }) => isOver);
        expect(stream.response.statusCode).toBe(200);
        expect(stream.events).toMatchObject([
          { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', status: 'Failure' } },
        ]);
        const refused = await watch(`/namespaces/acme/${plural}?resourceVersion=${version}`, 'user');
        expect(refused.response.statusCode).toBe(403);
        refused.response.destroy();
      }
    },
  );

  it.each(['1', '2345', '99999999'])(
    'and lists are newer than the number %s of another cluster',
    async (version) => {
      const path = '/namespaces/acme/configmaps';
      const { items } = await list(path);
      for (const match of ['', '&resourceVersionMatch=NotOlderThan'])
        expect((await list(path, `?resourceVersion=${version}${match}`)).items).toEqual(items);
    },
  );

  it('and lists in pages go on, with the version of the first page', async () => {
    const path = '/namespaces/acme/configmaps';
    const first = await list(path, '?limit=1');
    await create(path, configMap('zzz'));
    const second = await list(path, `?limit=5&continue=${first.metadata.continue}`);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect(second.items.at(-1).metadata.name).toBe('zzz');
    const other = await list('/namespaces/later/configmaps', `?continue=${first.metadata.continue}`);
    expect(other).toMatchObject({ code: 400 });
  });
});
