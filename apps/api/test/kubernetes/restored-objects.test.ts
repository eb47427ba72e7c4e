import { type Json, TestApi } from '../api.ts';
import { v1 as apiVersion, definition, definitions } from '../kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';

const barns = `/kubernetes/apis/${apiVersion}/barns`;

describe('objects that a restore brings back', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  opener = postgresStore();
  beforeAll(async () => {
    await api.start();
    await api.post(definitions, definition('Barn')).expect(201);
  });

  const create = async (name: string, metadata: Json = {}): Promise<Json> => {
    const object = { apiVersion, kind: 'Barn', metadata: { name, ...metadata }, spec: {} };
    return (await api.send('POST', barns).send(object).expect(201)).body;
  };
  const controlledBy = ({ metadata: { name, uid } }: Json) => [
    { apiVersion, kind: 'Barn', name, uid, controller: true },
  ];
  const remove = async (name: string) => {
    await api.send('DELETE', `${barns}/${name}`).expect(200);
    await (api.store.collect as () => Promise<void>)();
    await api.send('GET', `${barns}/${name}`).expect(404);
  };
  const restore = async ({ metadata: { uid } }: Json, body: Json = {}) =>
    void (await api.post(`${apiVersion}/barns/uid:${uid}/restore`, body).expect(201));
  const read = async (name: string): Promise<Json> =>
    (await api.send('GET', `${barns}/${name}`).expect(200)).body;

  it('have their controller, which came back with them or before them', async () => {
    const owner = await create('owner');
    await create('together', { ownerReferences: controlledBy(owner) });
    const alone = await create('alone', { ownerReferences: controlledBy(owner) });
    await remove('alone');
    await remove('owner');
    await restore(owner);
    await restore(alone);
    const references = controlledBy(await read('owner'));
    for (const name of ['together', 'alone']) {
      expect((await read(name)).metadata.ownerReferences).toEqual(references);
    }
  });
});
