import { type Json, TestApi } from './api.ts';
import { given, group, ownerOf, register, resource, v1 } from './kinds.ts';
import { RoundTrips } from './round-trips.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

const platform = 'platform.dev/v1alpha1';

describe('round trips to the database', () => {
  const trips = new RoundTrips();
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  const store = postgresStore();
  afterAll(() => trips.close());
  let hill: Json;
  let made = 0;
  const next = () => {
    made += 1;
    return made;
  };

  beforeAll(async () => {
    const url = await trips.through(store.url());
    opener = store.at(url);
    await api.start();
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    hill = await given(api, 'Farm', ['hill']);
    await given(api, 'Field', ['hill', 'north']);
  });

  /** Requests, each allowed, and how many round trips more each takes for a caller with a scope than for an operator. */
  const requests: Readonly<Record<string, { more: number; send: (as: string) => Promise<unknown> }>> = {
    'read an item': { more: 0, send: (as) => api.get(`${v1}/fields/hill/north`, as).expect(200) },
    'read a missing item': { more: 1, send: (as) => api.get(`${v1}/fields/hill/none`, as).expect(404) },
    'list below a parent': { more: 0, send: (as) => api.get(`${v1}/fields/hill`, as).expect(200) },
    'list a root collection': { more: 0, send: (as) => api.get(`${v1}/farms`, as).expect(200) },
    'replace a status': {
      more: 0,
      send: (as) => api.put(`${v1}/fields/hill/north/status`, { status: { n: next() } }, as).expect(200),
    },
    create: {
      more: 0,
      send: (as) => api.post(`${v1}/fields/hill`, resource('Field', `new-${next()}`), as).expect(201),
    },
    replace: {
      more: 0,
      async send(as) {
        const name = `replaced-${next()}`;
        await api.post(`${v1}/fields/hill`, resource('Field', name), as).expect(201);
        const body = resource('Field', name, { metadata: { revision: 1 }, spec: { size: 1 } });
        await api.put(`${v1}/fields/hill/${name}`, body, as).expect(200);
      },
    },
    'create and delete': {
      more: 0,
      async send(as) {
        const name = `deleted-${next()}`;
        await api.post(`${v1}/fields/hill`, resource('Field', name), as).expect(201);
        await api.delete(`${v1}/fields/hill/${name}`, as).expect(200);
      },
    },
    'list across parents': { more: 0, send: (as) => api.get(`${v1}/fields/-`, as).expect(200) },
    'select by labels': {
      more: 0,
      send: (as) => api.get(`${v1}/fields/hill?labelSelector=!x`, as).expect(200),
    },
    'select across parents': {
      more: 0,
      send: (as) => api.get(`${v1}/fields/-?labelSelector=!x&view=metadata`, as).expect(200),
    },
    'select in a root collection': {
      more: 0,
      send: (as) => api.get(`${v1}/farms?labelSelector=!x`, as).expect(200),
    },
    'search by name': { more: 0, send: (as) => api.send('GET', '/api/v1/search?q=north', as).expect(200) },
    'list removed resources': {
      more: 0,
      send: (as) => api.get(`${v1}/fields/hill?removed=true`, as).expect(200),
    },
    // The resources that it mentions may be outside of the scope.
    'explain an item': { more: 1, send: (as) => api.get(`${v1}/fields/hill/north/explain`, as).expect(200) },
    'plan a deletion': {
      more: 0,
      send: (as) => api.get(`${v1}/fields/hill/north/deletion-plan`, as).expect(200),
    },
    'create with an idempotency key': {
      more: 0,
      send: (as) =>
        api
          .post(`${v1}/fields/hill`, resource('Field', `keyed-${next()}`), as)
          .set('Idempotency-Key', `k${next()}`)
          .expect(201),
    },
    // Its parent decides, and it is compared with the bindings of the moment at which it is written.
    'create, delete and restore': {
      more: 4,
      async send(as) {
        const name = `restored-${next()}`;
        const { body } = await api.post(`${v1}/fields/hill`, resource('Field', name), as).expect(201);
        await api.delete(`${v1}/fields/hill/${name}`, as).expect(200);
        await api.post(`${v1}/fields/uid:${body.metadata.uid}/restore`, {}, as).expect(201);
      },
    },
    'read the history': { more: 0, send: (as) => api.get(`${v1}/fields/hill/north/history`, as).expect(200) },
  };

  async function counted(as: string): Promise<Readonly<Record<string, number>>> {
    const found: Record<string, number> = {};
    for (const [name, { send }] of Object.entries(requests)) found[name] = await trips.least(() => send(as));
    return found;
  }

  it('are as many with bindings as without, and those that the table says more for a caller with a scope', async () => {
    const without = await counted('operator');
    const create = (plural: string, kind: string, name: string, spec: object) =>
      api.post(`${platform}/${plural}`, { apiVersion: platform, kind, metadata: { name }, spec }).expect(201);
    await create('roles', 'Role', 'farmer', {
      rules: [{ apiGroups: [group], resources: ['*'], verbs: ['*'] }],
    });
    const { blockOwnerDeletion: _, ...scope } = ownerOf(hill);
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    await create('rolebindings', 'RoleBinding', 'b', { roleRef: { name: 'farmer' }, subjects, scope });
    expect(await counted('operator')).toEqual(without);
    const more = Object.entries(requests).map(([name, one]) => [name, (without[name] ?? 0) + one.more]);
    expect(await counted('user')).toEqual(Object.fromEntries(more));
  }, 60_000);
});
