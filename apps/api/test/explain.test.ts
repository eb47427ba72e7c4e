import { testDatabase } from '@platform/development/testing';
import { harness } from '@platform/garbage-collector/conformance';
import { systemChange } from '@platform/resources';
import { createMemoryStore, type MemoryStore } from '@platform/store-memory';
import { migrate, openStore, type Store } from '@platform/store-postgres';
import fc from 'fast-check';
import { type Json, TestApi } from './api.ts';
import { definitions, given, ownerOf, register, registerTree, v1 } from './kinds.ts';
import type { OpenStore } from './stores.ts';

const key = 'platform.dev/deletion-protection';
const change = systemChange('the test', 'delete');
const guarded = { annotations: { [key]: 'true' } };

type AnyStore = MemoryStore | Store;

describe('over the memory store', () => explaining(() => (clock) => createMemoryStore({ clock }), 30));

describe('over PostgreSQL', () => {
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  // Of its own, so that its connections are closed before the database is dropped.
  describe('the explanation', () => explaining(() => () => openStore({ url: database.url, poolMax: 4 }), 6));
});

function explaining(opener: () => (clock: { now(): number }) => AnyStore, runs: number): void {
  let store: AnyStore;
  let made = 0;
  let name: string;
  const api = new TestApi({
    store: (clock) => {
      store = opener()(clock);
      const close = async () => ('close' in store ? await store.close() : undefined);
      return { ...store, removeRow: async () => {}, close } as OpenStore;
    },
  });

  beforeAll(async () => {
    await api.start();
    await registerTree(api, { allowedStatusControllerIds: ['ctrl.example.dev'] });
    await register(api, 'Barn', { allowedStatusControllerIds: ['ctrl.example.dev'] });
  });
  afterAll(() => api.stop());
  beforeEach(() => {
    made += 1;
    name = `x${made}`;
    api.time += 1_000;
  });

  const drain = () => {
    const unused = {} as never;
    return harness({
      ...store,
      removeRow: unused,
      reset: unused,
      close: unused,
      endLease: unused,
    } as never).drain();
  };
  const farm = () => `${v1}/farms/${name}`;

  it('a live resource has its owners and dependents', async () => {
    const one = await given(api, 'Farm', [name]);
    const field = await given(api, 'Field', [name, 'south'], {});
    const barn = await given(api, 'Barn', [name], { metadata: { ownerReferences: [ownerOf(field)] } });
    const { body } = await api.get(`${v1}/fields/${name}/south/explain`).expect(200);
    expect(body).toEqual({
      owners: [{ relationship: 'parent', ...identityOf(one), deletionTimestamp: null }],
      dependents: [
        {
          relationship: 'ownerReference',
          ...identityOf(barn),
          blockOwnerDeletion: false,
          deletionTimestamp: null,
        },
      ],
      changes: expect.any(Array),
    });
    const { body: above } = await api.get(`${farm()}/explain`).expect(200);
    expect(above.dependents).toMatchObject([{ relationship: 'structuralChild', uid: field.metadata.uid }]);
  });

  it('a tombstone has the finalizers that hold it, with who can remove them', async () => {
    const root = await given(api, 'Farm', [name]);
    const field = await given(api, 'Field', [name, 'south']);
    const row = await given(api, 'Row', [name, 'south', 'one'], {
      metadata: { finalizers: ['ctrl.example.dev/water', 'nobody/x'] },
    });
    await api.delete(farm()).expect(202);
    await drain();
    const { body } = await api.get(`${v1}/farms/uid:${root.metadata.uid}/explain`).expect(200);
    const { body: stored } = await api.get(`${v1}/rows/${name}/south/one`);
    const cause = {
      kind: 'finalizer',
      resource: identityOf(row),
      path: [root, field, row].map(identityOf),
      since: stored.metadata.deletionTimestamp,
      detail: expect.any(String),
    };
    const path = `/api/v1/resources/${v1}/rows/uid:${row.metadata.uid}/finalizers`;
    const action = (finalizer: string, who: object) => ({
      method: 'PUT',
      path,
      body: { add: [], remove: [finalizer] },
      who,
    });
    expect(body).toEqual({
      causes: [
        {
          ...cause,
          action: action('ctrl.example.dev/water', { type: 'controller', id: 'ctrl.example.dev' }),
        },
        { ...cause, action: action('nobody/x', { type: 'operator' }) },
      ],
    });
  });

  it('a tombstone below which a resource is protected names it, with how to remove the annotation', async () => {
    await given(api, 'Farm', [name]);
    await given(api, 'Field', [name, 'south']);
    const row = await given(api, 'Row', [name, 'south', 'one'], {
      metadata: { labels: { keep: 'me' } },
      spec: { size: 1.5 },
    });
    await api.delete(farm()).expect(202);
    await api.put(`${v1}/rows/${name}/south/one`, protect(row)).expect(200);
    await drain();
    const { body } = await api.get(`${farm()}/explain`).expect(200);
    expect(body.causes).toMatchObject([
      { kind: 'protected', resource: identityOf(row), path: { length: 3 } },
    ]);
    const { method, path, body: sent, who } = body.causes[0].action;
    expect([method, who]).toEqual(['PUT', { type: 'operator' }]);
    expect([sent.metadata.annotations, sent.metadata.labels]).toEqual([{}, { keep: 'me' }]);
    await api.put(path.replace('/api/v1/resources/', ''), sent).expect(200);
    await drain();
    await api.get(farm()).expect(404);
  });

  it('the protection of a Secret or a Subscription can be removed as it says, and keeps what is sealed', async () => {
    await given(api, 'Farm', [name]);
    const field = await given(api, 'Field', [name, 'south']);
    const platform = 'platform.dev/v1alpha1';
    const owned = (kind: string, spec: Json) => ({
      apiVersion: platform,
      kind,
      metadata: { name, ownerReferences: [ownerOf(field)] },
      spec,
    });
    const organization = { apiVersion: platform, kind: 'Organization', metadata: { name } };
    await api.post(`${platform}/organizations`, organization).expect(201);
    const sealed = [
      [`${platform}/secrets/${name}`, owned('Secret', { data: { key: 'dGVsbCBub2JvZHk=' } })],
      [`${platform}/subscriptions`, owned('Subscription', { url: 'https://a.dev', secret: 'A'.repeat(32) })],
    ] as const;
    const before: Json[] = [];
    for (const [collection, body] of sealed) before.push((await api.post(collection, body).expect(201)).body);
    await api.delete(farm()).expect(202);
    for (const [index, [collection]] of sealed.entries())
      await api.put(`${collection}/${name}`, protect(before[index])).expect(200);
    await drain();
    const { body, text } = await api.get(`${farm()}/explain`).expect(200);
    expect(body.causes.map(({ kind, resource }: Json) => `${kind} ${resource.kind}`).sort()).toEqual([
      'protected Secret',
      'protected Subscription',
    ]);
    expect(text).not.toContain('"secret"');
    for (const { action } of body.causes) {
      const { body: after } = await api
        .put(action.path.replace('/api/v1/resources/', ''), action.body)
        .expect(200);
      const [created] = before.filter(({ kind }) => kind === after.kind);
      expect([after.spec, after.metadata.generation]).toEqual([created.spec, 1]);
    }
    await drain();
    await api.get(farm()).expect(404);
  });

  it('a tombstone that waits for the collector says so, and that it is paused', async () => {
    await given(api, 'Farm', [name]);
    await given(api, 'Field', [name, 'south']);
    await given(api, 'Row', [name, 'south', 'one']);
    await store.collectorPause.pause();
    await api.delete(farm()).expect(202);
    const { body } = await api.get(`${farm()}/explain`).expect(200);
    expect(body.causes).toMatchObject([
      {
        kind: 'live_dependent',
        resource: { kind: 'Row' },
        detail: expect.stringContaining('is paused since'),
      },
    ]);
    await store.collectorPause.resume();
    const { body: field } = await api.get(`${v1}/fields/${name}/south/explain`);
    expect(field.causes).toMatchObject([{ kind: 'live_dependent' }]);
    await drain();
    await api.get(`${farm()}/explain`).expect(404);
  });

  it('a finalizer of a kind without a definition is listed with the missing definition', async () => {
    const extra = await register(api, 'Gone', { allowedStatusControllerIds: ['ctrl.example.dev'] });
    const finalizers = ['ctrl.example.dev/a', 'ctrl.example.dev/b'];
    const one = await given(api, 'Gone', [name], { metadata: { finalizers } });
    await api.delete(`${v1}/gones/${name}`).expect(202);
    await store.transactions.run(({ deletion }) => deletion.remove(extra.metadata.uid, change));
    const { body } = await api.get(`${v1}/gones/uid:${one.metadata.uid}/explain`).expect(200);
    expect(body.causes).toMatchObject([
      { kind: 'finalizer', action: { who: { type: 'operator' } } },
      { kind: 'definition_missing', resource: identityOf(one) },
      { kind: 'finalizer', action: { who: { type: 'operator' } } },
    ]);
    for (const { action } of body.causes) {
      if (action) await api.put(action.path.replace('/api/v1/resources/', ''), action.body).expect(200);
    }
    await drain();
    await api.get(`${v1}/gones/uid:${one.metadata.uid}`).expect(404);
    await api
      .post(definitions, { ...extra, status: undefined, metadata: { name: extra.metadata.name } })
      .expect(201);
  });

  it('is refused to controllers, and 405 for other methods', async () => {
    await given(api, 'Farm', [name]);
    await api.get(`${farm()}/explain`, 'controller').expect(403);
    await api.post(`${farm()}/explain`, {}).expect(405);
    await api.get(`${v1}/farms/absent/explain`).expect(404);
  });

  it('performing every action as its who frees the resource, whatever the graph', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someRow, { minLength: 1, maxLength: 9 }), async (rows) => {
        round += 1;
        const root = await given(api, 'Barn', [`${name}-${round}-root`]);
        const barns = [root];
        for (const [index, { owners, finalizers }] of rows.entries()) {
          const chosen = new Map(owners.map(({ at, blocks }) => [at % barns.length, blocks]));
          const ownerReferences = [...chosen].map(([at, blockOwnerDeletion]) =>
            ownerOf(barns[at] as Json, { blockOwnerDeletion }),
          );
          const metadata = { ownerReferences, finalizers };
          barns.push(await given(api, 'Barn', [`${name}-${round}-${index}`], { metadata }));
        }
        const path = `${v1}/barns/uid:${root.metadata.uid}`;
        await api.delete(path);
        for (const [index, barn] of barns.slice(1).entries()) {
          const { body: stored, status } = await api.get(`${v1}/barns/uid:${barn.metadata.uid}`);
          if (rows[index]?.protects && status === 200) {
            await api.put(`${v1}/barns/uid:${barn.metadata.uid}`, protect(stored)).expect(200);
          }
        }
        await drain();
        const explained = await api.get(`${path}/explain`);
        if (explained.status === 404) return;
        expect(explained.body.causes).not.toEqual([]);
        for (const { action } of explained.body.causes) {
          if (action === undefined) continue;
          const { path: to, body, who } = action;
          const as = who.type === 'controller' ? 'controller' : 'operator';
          await api.put(to.replace('/api/v1/resources/', ''), body, as).expect(200);
        }
        await drain();
        await api.get(path).expect(404);
      }),
      { numRuns: runs },
    );
  }, 240_000);
}

const someRow = fc.record({
  owners: fc.array(fc.record({ at: fc.nat(20), blocks: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  finalizers: fc.uniqueArray(fc.constantFrom('ctrl.example.dev/a', 'x/b'), { maxLength: 2 }),
  protects: fc.boolean(),
});

function identityOf({ apiVersion, kind, metadata }: Json): object {
  const { name, uid, ancestors } = metadata;
  return { apiVersion, kind, name, uid, parentUid: ancestors.length === 0 ? null : expect.any(String) };
}

function protect({ status: _, ...rest }: Json): Json {
  return { ...rest, metadata: { ...rest.metadata, ...guarded } };
}
