import { type Json, TestApi } from './api.ts';
import { given, ownerOf, registerTree, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

describe('a restore of what the change log has in part', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  const postgres = postgresStore();
  opener = postgres;
  beforeAll(async () => {
    await api.start();
    await registerTree(api);
  });

  const restoring = (plural: string, { metadata }: Json, body: Json = {}) =>
    api.post(`${v1}/${plural}/uid:${metadata.uid}/restore`, body);
  const removed = async (name: string) => {
    const farm = await given(api, 'Farm', [name]);
    const north = await given(api, 'Field', [name, 'north']);
    const south = await given(api, 'Field', [name, 'south'], {
      metadata: { ownerReferences: [ownerOf(north)] },
    });
    await api.delete(`${v1}/farms/${name}`).expect(202);
    await (api.store.collect as () => Promise<void>)();
    return { farm, north, south };
  };

  it('is 404 when the log has nothing of it, as if it had never been', async () => {
    const { farm } = await removed('old');
    await postgres.expire(farm.metadata.uid, 0);
    expect((await restoring('farms', farm).expect(404)).body.code).toBe('not_found');
    expect((await restoring('farms', farm, { dependents: false }).expect(404)).body.code).toBe('not_found');
    const { items } = (await api.get(`${v1}/farms?removed=true`).expect(200)).body;
    expect(items).toEqual([]);
  });

  it('brings back no part of a deletion whose first removals may be forgotten, unless it is asked for alone', async () => {
    const { farm, north, south } = await removed('slow');
    // The removal is left, its tombstone is not; what was removed in between is gone.
    await postgres.expire(south.metadata.uid, 0);
    await postgres.expire(farm.metadata.uid, 1);
    const { body } = await restoring('farms', farm).expect(410);
    expect(body).toMatchObject({ code: 'restore_expired', status: 410 });
    await api.get(`${v1}/farms/slow`).expect(404);
    await restoring('farms', farm, { dependents: false }).expect(201);
    await restoring('fields', south).expect(404);
    await restoring('fields', north).expect(201);
    await api.get(`${v1}/fields/slow/north`).expect(200);
  });

  it('brings back a leaf that has lost the beginning of its history', async () => {
    const farm = await given(api, 'Farm', ['leaf']);
    await api.delete(`${v1}/farms/leaf`).expect(200);
    await postgres.expire(farm.metadata.uid, 1);
    await restoring('farms', farm).expect(201);
  });
});
