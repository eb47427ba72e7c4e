import { type Json, TestApi } from './api.ts';
import { definition, definitions, given, register, registerTree, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

describe('a restore of a kind that has changed', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  let hut: Json;
  afterAll(() => api.stop());
  opener = postgresStore();
  beforeAll(async () => {
    await api.start();
    await registerTree(api);
    const { metadata } = await register(api, 'Hut', { parent: { apiVersion: v1, kind: 'Farm' } });
    await given(api, 'Farm', ['hill']);
    hut = await given(api, 'Hut', ['hill', 'old']);
    await api.delete(`${v1}/farms/hill`).expect(202);
    await (api.store.collect as () => Promise<void>)();
    const body = definition('Hut', { parent: null });
    body['metadata'].revision = metadata.revision;
    await api.put(`${definitions}/huts.farm.example`, body).expect(200);
  });

  it('is refused as invalid when the kind belongs below another parent now, also when its parent is gone', async () => {
    const { body } = await api.post(`${v1}/huts/uid:${hut['metadata'].uid}/restore`, {}).expect(422);
    expect(body).toMatchObject({
      code: 'restore_invalid',
      errors: [{ message: 'Hut old: its kind belongs below another parent now' }],
    });
  });

  it('is refused as invalid when another kind at the same depth is the parent now, also when its parent is gone', async () => {
    const { metadata } = await register(api, 'Coop', { parent: { apiVersion: v1, kind: 'Farm' } });
    await given(api, 'Farm', ['dale']);
    const coop = await given(api, 'Coop', ['dale', 'old']);
    await api.delete(`${v1}/farms/dale`).expect(202);
    await (api.store.collect as () => Promise<void>)();
    await register(api, 'Mill');
    await given(api, 'Mill', ['dale']);
    const body = definition('Coop', { parent: { apiVersion: v1, kind: 'Mill' } });
    body['metadata'].revision = metadata.revision;
    await api.put(`${definitions}/coops.farm.example`, body).expect(200);
    const refused = await api.post(`${v1}/coops/uid:${coop['metadata'].uid}/restore`, {}).expect(422);
    expect(refused.body).toMatchObject({
      code: 'restore_invalid',
      errors: [{ message: 'Coop old: its kind belongs below another parent now' }],
    });
  });

  it('says which definition is missing when a kind above is not registered', async () => {
    const { metadata } = await register(api, 'Shed');
    await register(api, 'Tool', { parent: { apiVersion: v1, kind: 'Shed' } });
    await given(api, 'Shed', ['dry']);
    const tool = await given(api, 'Tool', ['dry', 'saw']);
    await api.delete(`${v1}/tools/dry/saw`).expect(200);
    await api.store.removeRow(metadata.uid);
    const { body } = await api.post(`${v1}/tools/uid:${tool['metadata'].uid}/restore`, {}).expect(422);
    expect(body.errors).toEqual([{ path: '', message: 'Tool saw: no definition claims a kind above Tool' }]);
  });
});
