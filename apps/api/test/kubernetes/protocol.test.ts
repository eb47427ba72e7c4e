import { onEveryStore, type TestApi, useApi } from '../api.ts';
import { organization } from './objects.ts';

const path = '/kubernetes/api/v1/namespaces';

onEveryStore((api: TestApi) => {
  describe('the protocol of the Kubernetes API', () => {
    beforeAll(async () => {
      await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    });

    it('has equal versions for equal states of an object', async () => {
      const { body: one } = await api.send('GET', `${path}/acme`).expect(200);
      const { body: list } = await api.send('GET', path).expect(200);
      const listed = list.items.find((item: { metadata: { name: string } }) => item.metadata.name === 'acme');
      expect(listed.metadata.resourceVersion).toBe(one.metadata.resourceVersion);
      expect(one.metadata.resourceVersion).toMatch(/^\d+$/);
      const { body: again } = await api.send('GET', path).expect(200);
      expect(again.metadata.resourceVersion).toBe(list.metadata.resourceVersion);
    });

    it('answers Status to callers without a credential, and for unknown paths and methods', async () => {
      const { body } = await api.send('GET', path, null).expect(401);
      expect(body).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
      await api.send('GET', '/kubernetes/apis/nothing.dev/v1/things').expect(404);
      const refused = await api.send('POST', `${path}/acme`).expect(405);
      expect(refused.body).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed' });
    });

    it('refuses forms that it does not have, and versions that it did not give', async () => {
      await api.send('GET', path).set('Accept', 'application/vnd.kubernetes.protobuf').expect(406);
      await api.send('GET', `${path}?watch=true&resourceVersion=abc`).expect(422);
    });

    it('reads parameters as Kubernetes does: everything is true but false and 0', async () => {
      for (const no of ['false', 'False', '0']) {
        expect((await api.send('GET', `${path}?watch=${no}`).expect(200)).body.kind).toBe('NamespaceList');
      }
      for (const yes of ['True', 'true', '1', '']) {
        await api.send('GET', `${path}?watch=${yes}&resourceVersion=abc`).expect(422);
      }
    });

    it('answers a create without the path that the object has in the resource API', async () => {
      const config = { metadata: { name: 'unplaced' }, data: { a: 'b' } };
      const { headers } = await api.send('POST', `${path}/acme/configmaps`).send(config).expect(201);
      expect(headers).not.toHaveProperty('location');
    });

    it('takes built-in kinds without apiVersion and kind, as clients with types send them', async () => {
      const config = { metadata: { name: 'bare' }, data: { a: 'b' } };
      const { body } = await api.send('POST', `${path}/acme/configmaps`).send(config).expect(201);
      expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } });
      const wrong = { ...config, apiVersion: 'v2' };
      await api.send('POST', `${path}/acme/configmaps`).send(wrong).expect(400);
    });

    it('answers tables and metadata alone', async () => {
      const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const { body } = await api.send('GET', path).set('Accept', table).expect(200);
      expect(body.rows[0].cells.slice(0, 2)).toEqual(['acme', 'Active']);
      const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
      const { body: list } = await api.send('GET', path).set('Accept', partial).expect(200);
      const bad = await api.send('GET', `${path}?includeObject=Bad`).set('Accept', table).expect(400);
      expect(bad.body).toMatchObject({ reason: 'BadRequest' });
      expect(bad.body.message).toContain('unrecognized includeObject value: "Bad"');
      await api.send('GET', `${path}?includeObject=Bad`).expect(200);
      expect(list.kind).toBe('PartialObjectMetadataList');
      expect(Object.keys(list.items[0])).toEqual(['kind', 'apiVersion', 'metadata']);
    });
  });
});

describe('kubernetes.enabled: false', () => {
  const api = useApi({ parts: { kubernetes: null } });

  it('serves nothing of it', async () => {
    await api.send('GET', '/kubernetes/version').expect(404);
  });
});
