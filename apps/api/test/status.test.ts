import { type Json, onEveryStore } from './api.ts';
import { given, register, v1 } from './kinds.ts';

onEveryStore((api) => {
  const mine = 'operator:Op@Example.dev';
  let made = 0;
  let item: string;

  beforeAll(() =>
    register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev', 'other.example.dev'] }),
  );

  beforeEach(async () => {
    made += 1;
    item = `${v1}/farms/f${made}`;
    await given(api, 'Farm', [`f${made}`]);
  });

  const write = (status: Json, as?: string, query = '') => api.put(`${item}/status${query}`, { status }, as);
  const slots = async (): Promise<Json> => (await api.get(item)).body.status.controllers;

  describe('the status subresource', () => {
    it.each([[{ ready: true }], [[1, 2]], ['text'], [1.5], [false], [{}]])(
      'takes any JSON: %j',
      async (status) => {
        const answer = await write(status).expect(200);
        expect(answer.body.status).toEqual({ controllers: { [mine]: status } });
        expect(answer.headers['etag']).toBe(`"${answer.body.metadata.uid}.2"`);
      },
    );

    it('stores a null like any other value when no slot is named', async () => {
      await write(null).expect(200);
      expect(await slots()).toEqual({ [mine]: null });
    });

    it('leaves the slots of other writers as they are', async () => {
      await write({ a: 1 }, 'controller').expect(200);
      await write({ b: 2 }, 'other-controller').expect(200);
      await write({ c: 3 }).expect(200);
      await write({ a: 4 }, 'controller').expect(200);
      expect(await slots()).toEqual({
        'ctrl.example.dev': { a: 4 },
        'other.example.dev': { b: 2 },
        [mine]: { c: 3 },
      });
    });

    it('needs no revision, counts one, and is no new generation', async () => {
      await write(1).expect(200);
      const { body } = await write(1).expect(200);
      expect(body.metadata).toMatchObject({ revision: 3, generation: 1 });
    });

    it.each([
      ['no status', {}],
      ['an unknown field', { status: 1, extra: 2 }],
      ['a revision', { status: 1, metadata: { revision: 1 } }],
      ['a list', []],
    ])('is 400 with %s', async (_name, body) => {
      await api.put(`${item}/status`, body).expect(400);
    });

    it('is 404 for a missing row, whatever its body', async () => {
      const missing = `${v1}/farms/gone/status`;
      await api.put(missing, {}).expect(404);
      await api.put(missing, { status: 1, extra: 2 }, 'controller').expect(404);
    });

    it('works on a tombstone', async () => {
      await api.put(`${item}/finalizers`, { add: ['a/b'] }).expect(200);
      await api.delete(item).expect(202);
      await write('leaving', 'controller').expect(200);
    });

    it('takes writes of the same moment one after the other', async () => {
      const writers = ['controller', 'other-controller', 'operator'];
      await Promise.all(writers.map((as) => write(as, as).expect(200)));
      expect(await slots()).toEqual({
        'ctrl.example.dev': 'controller',
        'other.example.dev': 'other-controller',
        [mine]: 'operator',
      });
      expect((await api.get(item)).body.metadata.revision).toBe(4);
    });
  });

  describe('a named slot', () => {
    it('lets an operator write, and with null clear, the slot of another writer', async () => {
      await write({ a: 1 }, 'controller').expect(200);
      await write({ a: 2 }, 'operator', '?slot=ctrl.example.dev').expect(200);
      expect(await slots()).toEqual({ 'ctrl.example.dev': { a: 2 } });
      await write(null, 'operator', '?slot=ctrl.example.dev').expect(200);
      expect(await slots()).toEqual({});
    });

    it('may be one that nobody has, and one with an @', async () => {
      await write(1, 'operator', '?slot=operator%3Asomebody@example.dev').expect(200);
      expect(await slots()).toEqual({ 'operator:somebody@example.dev': 1 });
    });

    it('changes nothing when an absent one is cleared', async () => {
      expect((await write(null, 'operator', '?slot=nobody').expect(200)).body.metadata.revision).toBe(1);
    });

    it('is none of the business of a controller, but for its own', async () => {
      await write(1, 'controller', '?slot=other.example.dev').expect(403);
      await write(1, 'controller', '?slot=ctrl.example.dev').expect(200);
    });

    it.each(['?slot=', '?slot=a&slot=b', '?slot=a%20b', '?slot=%00', `?slot=${'a'.repeat(321)}`])(
      'is 400 as %s',
      async (query) => {
        expect((await write(1, 'operator', query).expect(400)).body.code).toBe('invalid_query');
      },
    );

    it('may be called like a member of every object', async () => {
      await write(1, 'operator', '?slot=__proto__').expect(200);
      expect((await api.get(item)).text).toContain('"controllers":{"__proto__":1}');
    });
  });
});
