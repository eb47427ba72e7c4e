import { type Json, onEveryStore } from './api.ts';
import { given, register, resource, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  let made = 0;
  let item: string;
  const reserved = 'system.platform.dev/cascade-deletion';
  const controllers = ['ctrl.example.dev', 'other.example.dev'];

  beforeAll(() => register(api, 'Farm', { allowedStatusControllerIds: controllers }));

  beforeEach(async () => {
    made += 1;
    item = `${v1}/farms/f${made}`;
    await given(api, 'Farm', [`f${made}`], { metadata: { finalizers: ['keep/me'] } });
  });

  const change = (body: Json, as?: string) => api.put(`${item}/finalizers`, body, as);

  describe('the finalizers subresource', () => {
    it('adds and removes in one write, and says so in the envelope', async () => {
      const answer = await change({ add: ['a/b', 'c'], remove: ['keep/me'] }).expect(200);
      expect(answer.body.metadata).toMatchObject({ finalizers: ['a/b', 'c'], revision: 2, generation: 1 });
      expect(answer.headers['etag']).toBe(`"${answer.body.metadata.uid}.2"`);
    });

    it.each([[{}], [{ add: [] }], [{ remove: [] }], [{ add: ['keep/me'] }], [{ remove: ['gone'] }]])(
      'changes nothing, not even the revision, when things are as asked: %j',
      async (body) => {
        expect((await change(body).expect(200)).body.metadata).toMatchObject({
          finalizers: ['keep/me'],
          revision: 1,
        });
      },
    );

    it('stores duplicates once', async () => {
      expect((await change({ add: ['a', 'a', 'keep/me'] })).body.metadata.finalizers).toEqual([
        'keep/me',
        'a',
      ]);
    });

    it.each([
      ['in both lists', { add: ['a'], remove: ['a'] }],
      ['an empty name', { add: [''] }],
      ['a name with a space', { add: ['a b'] }],
      ['a name with a control character', { add: ['a\tb'] }],
      ['a name of 254 characters', { add: ['a'.repeat(254)] }],
      ['a name that is no string', { remove: [1] }],
      ['no list', { add: 'a' }],
      ['an unknown field', { set: ['a'] }],
      ['a list as body', []],
    ])('is 400 with %s', async (_name, body) => {
      await change(body).expect(400);
    });

    it('is 404 for a missing row, whatever its body', async () => {
      const missing = `${v1}/farms/gone/finalizers`;
      await api.put(missing, { add: 1 }).expect(404);
      await api.put(missing, { add: [reserved] }).expect(404);
      await api.put(missing, { add: ['other.example.dev/x'] }, 'controller').expect(404);
    });

    it('holds 64 and not one more', async () => {
      const more = Array.from({ length: 63 }, (_, at) => `n/${at}`);
      expect((await change({ add: more }).expect(200)).body.metadata.finalizers).toHaveLength(64);
      await change({ add: ['one/more'] }).expect(400);
      await change({ add: ['one/more'], remove: ['keep/me'] }).expect(200);
    });

    it.each([[{ add: [reserved] }], [{ remove: [reserved] }], [{ add: ['system.platform.dev/x'] }]])(
      'is 400 for everyone with a reserved name: %j',
      async (body) => {
        for (const as of ['operator', 'controller']) {
          expect((await change(body, as).expect(400)).body.code).toBe('finalizer_reserved');
        }
      },
    );

    it('takes names that only look reserved', async () => {
      await change({ add: ['system.platform.devx/a', 'system.platform.dev'] }).expect(200);
    });
  });

  describe('a controller', () => {
    it('adds and removes its own', async () => {
      await change({ add: ['ctrl.example.dev/x'] }, 'controller').expect(200);
      await change({ remove: ['ctrl.example.dev/x'] }, 'controller').expect(200);
    });

    it.each([
      ['of another controller', { add: ['other.example.dev/x'] }],
      ['of nobody', { add: ['keep/me'] }],
      ['that removes what is not its own', { remove: ['keep/me'] }],
      ['without a slash', { add: ['ctrl.example.dev'] }],
      ['that begins like its own', { add: ['ctrl.example.devx/y'] }],
      ['that a controller with a longer id owns', { add: ['ctrl.example.dev/sub/x'] }],
    ])('is 403 with one %s', async (_name, body) => {
      expect((await change(body, 'controller').expect(403)).body.code).toBe('finalizer_not_owned');
    });

    it('changes nothing when one of several is not its own', async () => {
      await change({ add: ['ctrl.example.dev/x', 'other.example.dev/x'] }, 'controller').expect(403);
      expect((await api.get(item)).body.metadata.finalizers).toEqual(['keep/me']);
    });

    it('is not in the way of an operator', async () => {
      await change({ add: ['ctrl.example.dev/x'] }, 'controller').expect(200);
      await change({ remove: ['ctrl.example.dev/x'] }).expect(200);
    });
  });

  describe('finalizers in create and PUT', () => {
    it('is 400 to create with a reserved one', async () => {
      const body = resource('Farm', 'r', { metadata: { finalizers: [reserved] } });
      expect((await api.post(`${v1}/farms`, body).expect(400)).body.code).toBe('finalizer_reserved');
    });

    it('is 400 to create with 65', async () => {
      const finalizers = Array.from({ length: 65 }, (_, at) => `n/${at}`);
      await api.post(`${v1}/farms`, resource('Farm', 'r', { metadata: { finalizers } })).expect(400);
    });

    it('is 400 to add a reserved one with PUT, and to leave out a stored one; sent back it is fine', async () => {
      const { body: plain } = await api.get(item);
      await api.put(item, sentBack(plain, { metadata: { finalizers: [reserved] } })).expect(400);
      await register(api, `Tile${made}`, { parent: { apiVersion: v1, kind: 'Farm' } });
      await given(api, `Tile${made}`, [`f${made}`, 'a']);
      await api.delete(item).expect(202);
      const { body: held } = await api.get(item);
      expect(held.metadata.finalizers).toContain(reserved);
      await api.put(item, sentBack(held, { metadata: { finalizers: ['keep/me'] } })).expect(400);
      await api.put(item, sentBack(held, { metadata: { finalizers: [reserved] } })).expect(200);
    });

    it('removes the last finalizer of a tombstone without deleting in the request', async () => {
      await api.delete(item).expect(202);
      const { body } = await change({ remove: ['keep/me'] }).expect(200);
      expect(body.metadata.finalizers).toEqual([]);
      await api.get(item).expect(200);
      await api.delete(item).expect(200);
      await api.get(item).expect(404);
    });
  });
});
