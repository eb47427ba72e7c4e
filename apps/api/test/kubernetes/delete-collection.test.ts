import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Json, TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { organization } from './objects.ts';

const protection = 'platform.dev/deletion-protection';
const configMaps = '/kubernetes/api/v1/namespaces/acme/configmaps';
/** A page of objects with these values ends after 16 MiB, so it has 18 of them. */
const large = 'x'.repeat(900_000);

describe('deletecollection', () => {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock) });
  afterAll(() => api.stop());
  // Pages of the memory store have no limit in bytes.
  opener = postgresStore();
  beforeAll(() => api.start());
  beforeAll(() => api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201));

  const create = async (count: number, value: string, more: object = {}) => {
    for (let index = 0; index < count; index += 1) {
      const metadata = { name: `map-${String(index).padStart(2, '0')}`, ...more };
      await api
        .send('POST', configMaps)
        .send({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } })
        .expect(201);
    }
  };
  const annotate = (name: string, annotations: Json) =>
    api
      .send('PATCH', `${configMaps}/${name}`)
      .type('application/merge-patch+json')
      .send(JSON.stringify({ metadata: { annotations } }))
      .expect(200);
  const left = async (): Promise<readonly string[]> => {
    const { body } = await api.send('GET', configMaps).set('Accept', partial).expect(200);
    return body.items.map(({ metadata }: Json) => metadata.name);
  };
  const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

  /** A request whose answer is not read yet. */
  const begin = async (): Promise<IncomingMessage> => {
    const headers = { Authorization: 'Bearer operator' };
    const sent = request({ port: api.port, method: 'DELETE', path: configMaps, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  };

  it('deletes and shows all objects, however many pages they fill', async () => {
    await create(20, large);
    const { body } = await api.send('DELETE', configMaps).expect(200);
    expect(body.items).toHaveLength(20);
    expect(await left()).toEqual([]);
  });

  it('stops when the client is gone, at most one page after what it has taken', async () => {
    await create(40, large);
    const response = await begin();
    response.destroy();
    await once(response, 'close');
    for (let tries = 0; (await left()).length > 4; tries += 1) expect(tries).toBeLessThan(500);
    for (let again = 0; again < 20; again += 1)
      expect(await left()).toEqual(['map-36', 'map-37', 'map-38', 'map-39']);
    await api.send('DELETE', configMaps).expect(200);
    expect(await left()).toEqual([]);
  });

  it('cuts the connection at an object of a later page that it may not delete', async () => {
    await create(19, large);
    await create(1, 'x', { name: 'protected', annotations: { [protection]: 'true' } });
    await expect(begin().then(text)).rejects.toThrow('aborted');
    expect(await left()).toEqual(['protected']);
    await annotate('protected', null);
    await api.send('DELETE', configMaps).expect(200);
  });

  it('names such an object of the first page after the others have ended', async () => {
    await create(3, 'x');
    await annotate('map-00', { [protection]: 'true' });
    const { body } = await api.send('DELETE', configMaps);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', details: { name: 'map-00' } });
    expect(body.message).toMatch(/^Operation cannot be fulfilled on configmaps "map-00": .*protected/);
    expect(await left()).toEqual(['map-00']);
    await annotate('map-00', null);
    await api.send('DELETE', configMaps).expect(200);
  });

  it('deletes with a limit only so many, and goes on after them', async () => {
    await create(20, 'x');
    const { body: first } = await api.send('DELETE', `${configMaps}?limit=18`).expect(200);
    expect([first.kind, first.items.length]).toEqual(['ConfigMapList', 18]);
    expect(await left()).toEqual(['map-18', 'map-19']);
    const rest = `${configMaps}?limit=18&continue=${first.metadata.continue}`;
    const { body: last } = await api.send('DELETE', rest).expect(200);
    expect([last.items.length, last.metadata.continue]).toEqual([2, undefined]);
    expect(await left()).toEqual([]);
  });
});
