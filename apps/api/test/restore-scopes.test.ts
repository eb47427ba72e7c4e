import { type Json, TestApi } from './api.ts';
import { given, ownerOf, registerTree, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

const platform = 'platform.dev/v1alpha1';
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

describe('a restore of what names a scope', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore();
  beforeAll(async () => {
    await api.start();
    await registerTree(api);
  });

  const read = async (path: string) => (await api.get(path).expect(200)).body as Json;
  const restoring = (path: string, { metadata }: Json, body: Json = {}) =>
    api.post(`${path}/uid:${metadata.uid}/restore`, body);
  const remove = async (path: string) => {
    await api.delete(path);
    await (api.store.collect as () => Promise<void>)();
  };
  const reference = (resource: Json) => {
    const { blockOwnerDeletion: _, ...rest } = ownerOf(resource);
    return rest;
  };
  const specs: Readonly<Record<string, (scope: Json) => Json>> = {
    Subscription: (scope) => ({
      url: 'https://hooks.example.dev/x',
      secret,
      selector: { kinds: ['Field'], scope },
    }),
    RoleBinding: (scope) => ({ roleRef: { name: 'any' }, subjects: [], scope }),
  };
  const scopeIn = ({ spec }: Json) => spec.selector?.scope ?? spec.scope;

  describe.each(Object.keys(specs))('a %s', (kind) => {
    const path = `${platform}/${kind.toLowerCase()}s`;
    const naming = async (name: string, scope: Json, owner: Json | null): Promise<Json> => {
      const ownerReferences = owner === null ? [] : [ownerOf(owner)];
      const spec = specs[kind]?.(reference(scope));
      const body = { apiVersion: platform, kind, metadata: { name, ownerReferences }, spec };
      return (await api.post(path, body).expect(201)).body;
    };

    it('names the restored scope by its new uid and name, also one that is as deep as itself', async () => {
      const farm = await given(api, 'Farm', [`whole-${path.length}`]);
      const name = farm.metadata.name;
      const field = await given(api, 'Field', [name, 'north']);
      const row = await given(api, 'Row', [name, 'north', 'first']);
      await naming('of-farm', farm, farm);
      await naming('of-field', field, farm);
      await naming('of-row', row, farm);
      await remove(`${v1}/farms/${name}`);
      await restoring(`${v1}/farms`, farm, { name: `${name}-again` }).expect(201);
      const scopes = await Promise.all(
        ['of-farm', 'of-field', 'of-row'].map(async (each) => scopeIn(await read(`${path}/${each}`))),
      );
      expect(scopes).toEqual([
        reference(await read(`${v1}/farms/${name}-again`)),
        reference(await read(`${v1}/fields/${name}-again/north`)),
        reference(await read(`${v1}/rows/${name}-again/north/first`)),
      ]);
    });

    it('may name the uid of its scope in capital letters', async () => {
      let farm: Json;
      let made = 0;
      do farm = await given(api, 'Farm', [`capital-${path.length}-${++made}`]);
      while (!/[a-f]/.test(farm.metadata.uid));
      const { metadata } = farm;
      const capital = { ...farm, metadata: { ...metadata, uid: metadata.uid.toUpperCase() } };
      await naming('restored', capital, farm);
      const { spec } = await naming('left', capital, null);
      await remove(`${v1}/farms/${metadata.name}`);
      // A scope that stays the same may be gone.
      const changes = {
        subjects: [{ kind: 'User', name: 'a@example.dev' }],
        url: 'https://hooks.example.dev/y',
      };
      const changed = Object.entries(changes).filter(([member]) => member in spec);
      await api
        .send('PATCH', `/api/v1/resources/${path}/left`)
        .type('application/merge-patch+json')
        .send(JSON.stringify({ spec: Object.fromEntries(changed) }))
        .expect(200);
      await restoring(`${v1}/farms`, farm).expect(201);
      const again = await read(`${v1}/farms/${metadata.name}`);
      expect(scopeIn(await read(`${path}/restored`))).toEqual(reference(again));
    });

    it('is not valid any more when its scope is gone, and the answer names each of them', async () => {
      const farm = await given(api, 'Farm', [`gone-${path.length}`]);
      const owner = await given(api, 'Farm', [`owner-${path.length}`]);
      for (const name of ['one', 'two']) await naming(name, farm, owner);
      await remove(`${v1}/farms/${farm.metadata.name}`);
      await remove(`${v1}/farms/${owner.metadata.name}`);
      const { body } = await restoring(`${v1}/farms`, owner).expect(422);
      expect(body.code).toBe('restore_invalid');
      expect(body.invalid.map(({ name }: Json) => name).sort()).toEqual(['one', 'two']);
      expect(body.errors[0].path).toMatch(/^\/spec\/(selector\/)?scope\/uid$/);
      await api.get(`${v1}/farms/${owner.metadata.name}`).expect(404);
      // Its scope comes back under a new uid, so it has to be created again.
      await restoring(`${v1}/farms`, farm).expect(201);
      await restoring(`${v1}/farms`, owner, { dependents: false }).expect(201);
    });

    it('that owns its scope is refused with what to change', async () => {
      const farm = await given(api, 'Farm', [`held-${path.length}`]);
      const holder = await naming('holder', farm, null);
      await api
        .put(`${v1}/farms/${farm.metadata.name}`, {
          apiVersion: v1,
          kind: 'Farm',
          metadata: {
            name: farm.metadata.name,
            revision: farm.metadata.revision,
            ownerReferences: [ownerOf(holder)],
          },
        })
        .expect(200);
      await remove(`${path}/holder`);
      const { body } = await restoring(path, holder).expect(422);
      expect(body.invalid).toMatchObject([{ kind, name: 'holder' }]);
    });
  });
});
