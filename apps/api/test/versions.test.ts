import { type Json, onEveryStore } from './api.ts';
import { definition, definitions, given, group, register, resource, sentBack } from './kinds.ts';

onEveryStore((api) => {
  const path = (version: string, name = 'hill') => `${group}/${version}/farms/${name}`;
  const served = (name: string, storage = false) => ({ name, served: true, storage });

  async function redefine(changes: Json): Promise<void> {
    const at = `${definitions}/farms.${group}`;
    const { body } = await api.get(at).expect(200);
    await api.put(at, sentBack(body, { spec: { ...body.spec, ...changes } })).expect(200);
  }

  beforeAll(async () => {
    await register(api, 'Farm', {
      versions: [served('v1', true), served('v2'), { name: 'v3', served: false, storage: false }],
    });
    await given(api, 'Farm', ['hill'], { spec: { a: 1 } });
  });

  describe('a version in the URL', () => {
    it.each(['v3', 'v9'])('is 404 when it is not served or not declared: %s', async (version) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await api.send(method, `/api/v1/resources/${path(version)}`).expect(404);
        expect(answer.body.code).toBe('unknown_collection');
      }
      await api.post(`${group}/${version}/farms`, resource('Farm', 'x')).expect(404);
      await api.get(`${group}/${version}/farms/uid:00000000-0000-7000-8000-000000000001`).expect(404);
    });

    it('is what an answer shows, whatever is stored', async () => {
      const { body } = await api.get(path('v2')).expect(200);
      expect(body).toMatchObject({ apiVersion: `${group}/v2`, kind: 'Farm', spec: { a: 1 } });
      const { body: list } = await api.get(`${group}/v2/farms`).expect(200);
      expect(list).toMatchObject({ apiVersion: `${group}/v2`, items: [{ apiVersion: `${group}/v2` }] });
    });

    it('is 422 for POST and item PUT when it is served but not the storage version', async () => {
      const atV2 = { ...resource('Farm', 'x'), apiVersion: `${group}/v2` };
      expect((await api.post(`${group}/v2/farms`, atV2).expect(422)).body.code).toBe(
        'storage_version_required',
      );
      const { body } = await api.get(path('v2'));
      expect((await api.put(path('v2'), sentBack(body)).expect(422)).body.code).toBe(
        'storage_version_required',
      );
    });

    it('may be any served one for status, finalizers and DELETE', async () => {
      await given(api, 'Farm', ['brief']);
      const { body } = await api.put(`${path('v2', 'brief')}/status`, { status: 1 }).expect(200);
      expect(body.apiVersion).toBe(`${group}/v2`);
      await api.put(`${path('v2', 'brief')}/finalizers`, { add: ['a/b'] }).expect(200);
      const held = await api.delete(path('v2', 'brief')).expect(202);
      expect(held.body.resource.apiVersion).toBe(`${group}/v2`);
    });
  });

  describe('a version in the body', () => {
    it('is 422 when it is served but not the storage version', async () => {
      await api
        .post(`${group}/v1/farms`, { ...resource('Farm', 'x'), apiVersion: `${group}/v2` })
        .expect(422);
      const { body } = await api.get(path('v2'));
      await api.put(path('v1'), sentBack(body)).expect(422);
    });

    it.each(['v3', 'v9'])('is 400 when it is another: %s', async (version) => {
      const body = { ...resource('Farm', 'x'), apiVersion: `${group}/${version}` };
      await api.post(`${group}/v1/farms`, body).expect(400);
    });
  });

  describe('a migration', () => {
    it('walks as documented: storage moves, rows are rewritten, the old version goes', async () => {
      await redefine({ versions: [served('v1'), served('v2', true)] });
      const { body: projected } = await api.get(path('v2')).expect(200);
      await api.put(path('v1'), sentBack({ ...projected, apiVersion: `${group}/v1` })).expect(422);

      const unserved = { name: 'v1', served: false, storage: false };
      const at = `${definitions}/farms.${group}`;
      const { body: before } = await api.get(at);
      const dropped = await api.put(
        at,
        sentBack(before, { spec: { ...before.spec, versions: [served('v2', true)] } }),
      );
      expect([dropped.status, dropped.body.code]).toEqual([409, 'version_in_use']);
      expect(dropped.body.detail).toContain('2');

      const { body: list } = await api.get(`${group}/v2/farms`).expect(200);
      for (const item of list.items) {
        await api.put(path('v2', item.metadata.name), sentBack(item)).expect(200);
      }
      await redefine({ versions: [unserved, served('v2', true)] });
      await api.get(path('v1')).expect(404);
      await redefine({ versions: [served('v2', true)] });
      await api.get(path('v2')).expect(200);
    });

    it('keeps rows of an unserved version listable at a served one', async () => {
      await api
        .post(definitions, definition('Barn', { versions: [served('v1', true), served('v2')] }))
        .expect(201);
      await given(api, 'Barn', ['red']);
      const at = `${definitions}/barns.${group}`;
      const { body } = await api.get(at);
      const versions = [{ name: 'v1', served: false, storage: true }, served('v2')];
      await api.put(at, sentBack(body, { spec: { ...body.spec, versions } })).expect(200);
      const { body: list } = await api.get(`${group}/v2/barns`).expect(200);
      expect(list.items).toMatchObject([{ apiVersion: `${group}/v2`, metadata: { name: 'red' } }]);
    });
  });
});
