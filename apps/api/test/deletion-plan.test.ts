import { testDatabase } from '@platform/development/testing';
import { harness } from '@platform/garbage-collector/conformance';
import { createMemoryStore, type MemoryStore } from '@platform/store-memory';
import { migrate, openStore, type Store } from '@platform/store-postgres';
import fc from 'fast-check';
import { type Json, TestApi } from './api.ts';
import { given, ownerOf, register, registerTree, v1 } from './kinds.ts';
import type { OpenStore } from './stores.ts';

type AnyStore = MemoryStore | Store;

describe('over the memory store', () => planning(() => (clock) => createMemoryStore({ clock }), 40));

describe('over PostgreSQL', () => {
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  // Of its own, so that its connections are closed before the database is dropped.
  describe('the plan', () => planning(() => () => openStore({ url: database.url, poolMax: 4 }), 8));
});

function planning(opener: () => (clock: { now(): number }) => AnyStore, runs: number): void {
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
    await registerTree(api);
    await register(api, 'Barn');
  });
  afterAll(() => api.stop());
  beforeEach(() => {
    made += 1;
    name = `x${made}`;
    api.time += 1_000;
  });

  const drain = () => harness(store as never).drain();
  const farm = () => `${v1}/farms/${name}`;
  const planOf = async (path = farm()): Promise<Json> =>
    (await api.get(`${path}/deletion-plan`).expect(200)).body;

  it('covers children and owned resources at any depth, with their reasons', async () => {
    const root = await given(api, 'Farm', [name]);
    const field = await given(api, 'Field', [name, 'south']);
    const barn = await given(api, 'Barn', [name], {
      metadata: { ownerReferences: [ownerOf(field)], finalizers: ['x/y'] },
    });
    const plan = await planOf();
    expect(plan).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      counts: { Field: 1, Barn: 1 },
      resources: [
        {
          identity: identityOf(field),
          ...identityOf(field),
          because: { relationship: 'structuralChild', owner: identityOf(root) },
          effect: 'removed',
          heldBy: [],
        },
        {
          identity: identityOf(barn),
          ...identityOf(barn),
          because: { relationship: 'ownerReference', owner: identityOf(field), blockOwnerDeletion: false },
          effect: 'held',
          heldBy: [{ resource: identityOf(barn), finalizers: ['x/y'], protected: false }],
        },
      ],
      protected: [],
    });
    expect((await planOf()).hash).toBe(plan.hash);
  });

  it('ties a DELETE to it', async () => {
    await given(api, 'Farm', [name]);
    await given(api, 'Field', [name, 'south']);
    const { hash } = await planOf();
    await api.delete(`${farm()}?plan=${hash}`).expect(202);
    await drain();
    await api.get(farm()).expect(404);
  });

  it('refuses a DELETE when resources came or went, and says which', async () => {
    const root = await given(api, 'Farm', [name]);
    const south = await given(api, 'Field', [name, 'south']);
    const { hash } = await planOf();
    await api.delete(`${v1}/fields/${name}/south`).expect(200);
    const north = await given(api, 'Field', [name, 'north']);
    const row = await given(api, 'Row', [name, 'north', 'one']);
    const { body } = await api.delete(`${farm()}?plan=${hash}`).expect(409);
    expect(body).toMatchObject({ code: 'plan_changed', removed: [identityOf(south)] });
    expect(body.added).toEqual([identityOf(north), identityOf(row)]);
    expect((await api.get(farm())).body).toEqual(root);
  });

  it('is compared in a dry run and in a batch', async () => {
    await given(api, 'Farm', [name]);
    const { hash } = await planOf();
    await given(api, 'Field', [name, 'south']);
    const path = `${farm()}?plan=${hash}`;
    const batch = (target: string) =>
      api
        .send('POST', '/api/v1/batch')
        .send({ operations: [{ method: 'DELETE', path: `/api/v1/resources/${target}` }] });
    const refused = { code: 'plan_changed', added: [{ name: 'south' }], removed: [] };
    expect((await api.delete(`${path}&dryRun=true`).expect(409)).body).toMatchObject(refused);
    expect((await batch(path).expect(409)).body).toMatchObject({ ...refused, operation: 0 });
    const { hash: now } = await planOf();
    await api.delete(`${farm()}?plan=${now}&dryRun=true`).expect(202);
    await batch(`${farm()}?plan=${now}`).expect(200);
  });

  it('is compared although every connection to the database is taken', async () => {
    const paths = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (letter) => {
        const farmName = `${name}-${letter}`;
        await given(api, 'Farm', [farmName]);
        const { hash } = await planOf(`${v1}/farms/${farmName}`);
        await given(api, 'Field', [farmName, 'south']);
        return `${v1}/farms/${farmName}?plan=${hash}`;
      }),
    );
    const answers = await Promise.all(paths.map((path) => api.delete(path)));
    expect(answers.map(({ body }) => body.code)).toEqual(paths.map(() => 'plan_changed'));
  });

  it('stays the same plan when only an effect changes', async () => {
    await given(api, 'Farm', [name]);
    await given(api, 'Field', [name, 'south']);
    const { hash } = await planOf();
    await api.put(`${v1}/fields/${name}/south/finalizers`, { add: ['x/y'] }).expect(200);
    expect(await planOf()).toMatchObject({ hash, resources: [{ effect: 'held' }] });
    await api.delete(`${farm()}?plan=${hash}`).expect(202);
  });

  it('is refused when it is unknown, of another resource, given twice, or no hash', async () => {
    await given(api, 'Farm', [name]);
    const field = await given(api, 'Field', [name, 'south']);
    const { body } = await api.delete(`${farm()}?plan=nonsense`).expect(409);
    for (const plan of ['', '%00', 'a%20b', 'a&plan=b'])
      await api.delete(`${farm()}?plan=${plan}`).expect(400);
    expect(body).toMatchObject({ code: 'plan_changed', added: [identityOf(field)], removed: [] });
    const { hash } = await planOf(`${v1}/fields/${name}/south`);
    await api.delete(`${farm()}?plan=${hash}`).expect(409);
    await api.get(farm()).expect(200);
  });

  it('names protected resources', async () => {
    await given(api, 'Farm', [name]);
    const annotations = { 'platform.dev/deletion-protection': 'true' };
    const field = await given(api, 'Field', [name, 'south'], { metadata: { annotations } });
    const plan = await planOf();
    expect(plan.protected).toEqual([identityOf(field)]);
    expect(plan.resources).toMatchObject([{ effect: 'held', heldBy: [{ protected: true }] }]);
    const { body } = await api.delete(`${farm()}?plan=${plan.hash}`).expect(409);
    expect(body.code).toBe('deletion_protected');
  });

  it('is what a deletion then does, whatever the graph', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someRow, { minLength: 1, maxLength: 9 }), async (rows) => {
        round += 1;
        const barns = [await given(api, 'Barn', [`${name}-${round}-root`])];
        for (const [index, { owners, finalizers }] of rows.entries()) {
          const chosen = new Map(owners.map(({ at, blocks }) => [at % barns.length, blocks]));
          const ownerReferences = [...chosen].map(([at, blockOwnerDeletion]) =>
            ownerOf(barns[at] as Json, { blockOwnerDeletion }),
          );
          const metadata = { ownerReferences, finalizers };
          barns.push(await given(api, 'Barn', [`${name}-${round}-${index}`], { metadata }));
        }
        const [root] = barns as [Json];
        const path = `${v1}/barns/uid:${root.metadata.uid}`;
        const plan = await planOf(path);
        await api.delete(`${path}?plan=${plan.hash}`);
        await drain();
        const planned = new Map<string, string>(
          plan.resources.map(({ uid, effect }: Json) => [uid, effect] as const),
        );
        for (const barn of barns.slice(1)) {
          const { uid } = barn.metadata;
          const { status, body } = await api.get(`${v1}/barns/uid:${uid}`);
          const found = status === 404 ? 'removed' : body.metadata.deletionTimestamp ? 'held' : undefined;
          expect([uid, found]).toEqual([uid, planned.get(uid)]);
        }
      }),
      { numRuns: runs },
    );
  }, 240_000);
}

const someRow = fc.record({
  // Some rows have no owner, so that a plan has something to leave out.
  owners: fc.array(fc.record({ at: fc.nat(20), blocks: fc.boolean() }), { maxLength: 3 }),
  finalizers: fc.uniqueArray(fc.constantFrom('a/a', 'x/b'), { maxLength: 1 }),
});

function identityOf({ apiVersion, kind, metadata }: Json): object {
  const { name, uid, ancestors } = metadata;
  return { apiVersion, kind, name, uid, parentUid: ancestors.length === 0 ? null : expect.any(String) };
}
