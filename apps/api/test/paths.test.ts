import { onEveryStore } from './api.ts';
import { definitions, given, registerTree, resource, v1 } from './kinds.ts';
import { rawRequest, sendRaw } from './raw.ts';

onEveryStore((api) => {
  const root = '/api/v1/resources/';
  let plant: { metadata: { uid: string } };

  beforeAll(async () => {
    await registerTree(api);
    await given(api, 'Farm', ['hill']);
    await given(api, 'Field', ['hill', 'south']);
    await given(api, 'Row', ['hill', 'south', 'one']);
    plant = await given(api, 'Plant', ['hill', 'south', 'one', 'tulip']);
  });

  const places = [
    ['depth 0', 'farms', 'hill'],
    ['depth 1', 'fields/hill', 'south'],
    ['depth 2', 'rows/hill/south', 'one'],
    ['depth 3', 'plants/hill/south/one', 'tulip'],
  ] as const;

  describe('a path', () => {
    it.each(places)(
      'names collection, item and subresources by count: %s',
      async (_depth, collection, name) => {
        const { body: list } = await api.get(`${v1}/${collection}`).expect(200);
        expect(list.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([name]);
        await api.get(`${v1}/${collection}/${name}`).expect(200);
        await api.get(`${v1}/${collection}/${name}/deletion-blockers`).expect(200);
        await api.put(`${v1}/${collection}/${name}/status`, { status: {} }).expect(200);
        await api.put(`${v1}/${collection}/${name}/finalizers`, {}).expect(200);
      },
    );

    it.each(places)('answers 405 with Allow for other methods: %s', async (_depth, collection, name) => {
      const allow = async (method: string, path: string) => {
        const answer = await api.send(method, root + path).expect(405);
        expect(answer.body.code).toBe('method_not_allowed');
        return answer.headers['allow'];
      };
      const item = `${v1}/${collection}/${name}`;
      expect(await allow('DELETE', `${v1}/${collection}`)).toBe('GET, POST');
      expect(await allow('PUT', `${v1}/${collection}`)).toBe('GET, POST');
      expect(await allow('POST', item)).toBe('GET, PUT, PATCH, DELETE');
      expect(await allow('PATCH', `${item}/finalizers`)).toBe('PUT');
      expect(await allow('OPTIONS', item)).toBe('GET, PUT, PATCH, DELETE');
      expect(await allow('GET', `${item}/status`)).toBe('PUT, PATCH');
      expect(await allow('DELETE', `${item}/finalizers`)).toBe('PUT');
      expect(await allow('PUT', `${item}/deletion-blockers`)).toBe('GET');
    });

    it.each([
      ['nothing', ''],
      ['a group alone', 'farm.example'],
      ['a group and a version', v1],
      ['pending-deletion and more', 'pending-deletion/x'],
      ['an empty segment', `${v1}//farms`],
      ['a slash at the end', `${v1}/farms/`],
      ['an empty name', `${v1}/fields//south`],
      ['too few names', `${v1}/plants/hill/south`],
      ['too many names', `${v1}/farms/hill/x`],
      ['a name after a keyword', `${v1}/farms/hill/status/x`],
      ['a bad percent-encoding', `${v1}/farms/%zz`],
      ['percent-encoded bytes that are no UTF-8', `${v1}/farms/%ff`],
      ['an encoded NUL', `${v1}/farms/%00`],
      ['uid: without a UUID', `${v1}/farms/uid:`],
      ['uid: with something else', `${v1}/farms/uid:hill`],
      ['uid: after an ancestor', `${v1}/fields/hill/uid:00000000-0000-7000-8000-000000000001`],
      ['uid: before a name', `${v1}/fields/uid:00000000-0000-7000-8000-000000000001/south`],
      ['uid: as plural', `${v1}/uid:00000000-0000-7000-8000-000000000001`],
      ['uid: and two keywords', `${v1}/farms/uid:00000000-0000-7000-8000-000000000001/status/status`],
    ])('is 400 with %s', async (_name, path) => {
      const answer = await api.get(path).expect(400);
      expect(answer.body).toMatchObject({ code: 'malformed_path', instance: root + path });
    });

    it('is 400 without a collection after the prefix', async () => {
      await api.send('GET', '/api/v1/resources/').expect(400);
    });

    it('is split before it is decoded, so that an encoded slash is part of a name', async () => {
      const answer = await api.get(`${v1}/farms%2Fhill`).expect(404);
      expect(answer.body.code).toBe('unknown_collection');
      await api.get(`${v1}/farms/hill%2Fstatus`).expect(404);
    });

    it('may encode what needs no encoding', async () => {
      await api.get(`${v1}/farms/%68ill`).expect(200);
      await api.get(`${v1}/%66arms/hill/deletion%2Dblockers`).expect(200);
    });

    it.each([
      ['dots are names, not steps', `${root}${v1}/farms/../farms`, 400],
      ['encoded dots too', `${root}${v1}/farms/%2e%2e`, 404],
      ['the absolute form means the same', `http://platform.test${root}${v1}/farms/hill`, 200],
      ['the prefix is compared with case', `/API/v1/resources/${v1}/farms`, 404],
      ['the prefix is compared as it is written', `/api/v1/%72esources/${v1}/farms`, 404],
      ['a longer word is another endpoint', `/api/v1/resourcesx/${v1}/farms`, 404],
      ['a fragment is part of the path', `${root}${v1}/farms/hill#x`, 404],
      ['bytes beyond ASCII are no HTTP', `${root}${v1}/farms/h\xefll`, 400],
    ])('is taken literally: %s', async (_name, target, status) => {
      expect((await sendRaw(api, rawRequest('GET', target))).status).toBe(status);
    });
  });

  describe('an unknown collection', () => {
    it.each([
      ['group', 'other.example/v1/farms'],
      ['version', 'farm.example/v9/farms'],
      ['plural', `${v1}/sheds`],
      ['plural of the reserved group', 'platform.dev/v1alpha1/projects'],
      ['version of the reserved group', 'platform.dev/v1/organizations'],
      ['kind in place of the plural', `${v1}/Farm`],
      ['name of every object', `${v1}/__proto__`],
    ])('is 404 before its method is checked: unknown %s', async (_name, path) => {
      for (const method of ['GET', 'POST', 'PATCH']) {
        const answer = await api.send(method, `${root}${path}`).expect(404);
        expect(answer.body.code).toBe('unknown_collection');
      }
    });
  });

  describe('a missing row', () => {
    it.each([
      ['the item', `${v1}/farms/gone`],
      ['an ancestor of a collection', `${v1}/fields/gone`],
      ['a far ancestor of a collection', `${v1}/plants/gone/south/one`],
      ['an ancestor of an item', `${v1}/fields/gone/south`],
    ])('is 404: %s', async (_name, path) => {
      const answer = await api.get(path).expect(404);
      expect(answer.body.code).toBe('not_found');
    });

    it('is 404 for every operation on it', async () => {
      const gone = `${v1}/farms/gone`;
      await api
        .put(gone, { ...resource('Farm', 'gone'), metadata: { name: 'gone', revision: 1 } })
        .expect(404);
      await api.delete(gone).expect(404);
      await api.put(`${gone}/status`, { status: 1 }).expect(404);
      await api.put(`${gone}/finalizers`, { add: ['a/b'] }).expect(404);
      await api.get(`${gone}/deletion-blockers`).expect(404);
      await api.post(`${v1}/fields/gone`, resource('Field', 'x')).expect(404);
    });
  });

  describe('a resource named like a keyword', () => {
    const names = ['status', 'finalizers', 'deletion-blockers', 'pending-deletion'];

    it.each(names)('is an item like any other, at each depth: %s', async (name) => {
      await given(api, 'Farm', [name]);
      await given(api, 'Field', [name, name]);
      await given(api, 'Row', [name, name, name]);
      const { body } = await api.get(`${v1}/rows/${name}/${name}/${name}`).expect(200);
      expect(body.metadata.name).toBe(name);
      await api.get(`${v1}/farms/${name}`).expect(200);
      await api.get(`${v1}/farms/${name}/deletion-blockers`).expect(200);
      await api.put(`${v1}/farms/${name}/status`, { status: name }).expect(200);
      expect((await api.get(`${v1}/fields/${name}`).expect(200)).body.kind).toBe('FieldList');
    });
  });

  describe('addressing by UID', () => {
    it('reaches a row without its ancestors, in any case of the UUID', async () => {
      const { uid } = plant.metadata;
      const { body } = await api.get(`${v1}/plants/uid:${uid.toUpperCase()}`).expect(200);
      expect(body.metadata).toMatchObject({ uid, name: 'tulip' });
      await api.put(`${v1}/plants/uid:${uid}/status`, { status: 1 }).expect(200);
      await api.put(`${v1}/plants/uid:${uid}/finalizers`, {}).expect(200);
      await api.get(`${v1}/plants/uid:${uid}/deletion-blockers`).expect(200);
    });

    it('takes an encoded colon for a colon', async () => {
      await api.get(`${v1}/plants/uid%3A${plant.metadata.uid}`).expect(200);
    });

    it('is 404 for a row of another kind, and for a UID of nobody', async () => {
      await api.get(`${v1}/farms/uid:${plant.metadata.uid}`).expect(404);
      await api.get(`${definitions}/uid:${plant.metadata.uid}`).expect(404);
      await api.get(`${v1}/plants/uid:ffffffff-ffff-4fff-8fff-ffffffffffff`).expect(404);
      await api.get(`${v1}/plants/uid:00000000-0000-0000-0000-000000000000`).expect(404);
    });

    it('answers 405 with the methods of the form', async () => {
      const path = `${root}${v1}/plants/uid:${plant.metadata.uid}`;
      expect((await api.send('POST', path).expect(405)).headers['allow']).toBe('GET, PUT, PATCH, DELETE');
      expect((await api.send('GET', `${path}/status`).expect(405)).headers['allow']).toBe('PUT, PATCH');
    });

    it('compares the name of a PUT with the stored one', async () => {
      const path = `${v1}/plants/uid:${plant.metadata.uid}`;
      const { body: read } = await api.get(path);
      const { metadata } = read;
      const body = {
        ...resource('Plant', 'tulip'),
        metadata: { name: 'tulip', revision: metadata.revision },
      };
      await api.put(path, { ...body, metadata: { ...body.metadata, name: 'rose' } }).expect(400);
      await api.put(path, body).expect(200);
    });
  });

  describe('HEAD', () => {
    it('is GET without the body', async () => {
      const get = await api.send('GET', `${root}${v1}/farms/hill`);
      const head = await api.send('HEAD', `${root}${v1}/farms/hill`).expect(200);
      expect(head.text).toBeUndefined();
      expect(head.headers['etag']).toBe(get.headers['etag']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    });

    it('is 405 where GET is', async () => {
      await api.send('HEAD', `${root}${v1}/farms/hill/status`).expect(405);
    });
  });

  describe('pending-deletion', () => {
    it('has GET alone', async () => {
      await api.get('pending-deletion').expect(200);
      expect((await api.post('pending-deletion', {}).expect(405)).headers['allow']).toBe('GET');
    });
  });
});
