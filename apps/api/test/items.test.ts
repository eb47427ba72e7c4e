import { type Json, onEveryStore } from './api.ts';
import { given, register, resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  const someUid = '00000000-0000-7000-8000-00000000abcd';

  beforeAll(async () => {
    await register(api, 'Farm', {
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { type: 'object', properties: { size: { type: 'number' }, soil: { type: 'string' } } },
        },
      ],
    });
  });

  describe('a created resource', () => {
    it('has the whole envelope, with every default', async () => {
      const answer = await api.post(farms, resource('Farm', 'bare')).expect(201);
      expect(answer.body).toEqual({
        apiVersion: v1,
        kind: 'Farm',
        metadata: {
          name: 'bare',
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          revision: 1,
          generation: 1,
          discriminator: expect.stringMatching(/^[a-z0-9][a-z0-9-]{6}[a-z0-9]$/),
          creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ancestors: [],
          labels: {},
          annotations: {},
          finalizers: [],
          ownerReferences: [],
        },
        spec: {},
        status: { controllers: {} },
      });
      expect(answer.headers).toMatchObject({
        etag: `"${answer.body.metadata.uid}.1"`,
        location: `/api/v1/resources/${farms}/bare`,
        'content-type': 'application/json; charset=utf-8',
      });
    });

    // Accident: a cache in between keeps the 404 of a controller that looked too early.
    it('is found although a read before was answered 404, which no cache keeps', async () => {
      const early = await api.get(`${farms}/soon`).expect(404);
      expect(early.headers['cache-control']).toBe('no-store');
      await given(api, 'Farm', ['soon']);
      const { headers } = await api.get(`${farms}/soon`).expect(200);
      expect(headers['cache-control']).toBe('private, no-cache');
    });

    it('reads back as it was answered', async () => {
      const created = await given(api, 'Farm', ['whole'], {
        metadata: { annotations: { a: 'b' }, finalizers: ['x/y', 'x/y', 'z'] },
        spec: { size: 3 },
      });
      const read = await api.get(`${farms}/whole`).expect(200);
      expect(read.body).toEqual(created);
      expect(read.headers['etag']).toBe(`"${created.metadata.uid}.1"`);
      expect(created.metadata.finalizers).toEqual(['x/y', 'z']);
    });

    it('is 304 for a client that has it already, and not after a write', async () => {
      const { uid } = (await given(api, 'Farm', ['cached'])).metadata;
      const at = `${farms}/cached`;
      const etag = `"${uid}.1"`;
      for (const tag of [etag, `W/${etag}`, `"7", ${etag}`, '*']) {
        const answer = await api.get(at).set('If-None-Match', tag).expect(304);
        expect([answer.headers['etag'], answer.text]).toEqual([etag, '']);
      }
      await api.get(at).set('If-None-Match', '"1"').expect(200);
      await api.put(`${at}/status`, { status: 1 }).set('If-None-Match', `"${uid}.2"`).expect(200);
      await api.get(at).set('If-None-Match', etag).expect(200);
    });

    it('is not taken for another one that had its name', async () => {
      const at = `${farms}/renewed`;
      await given(api, 'Farm', ['renewed']);
      const { headers } = await api.get(at).expect(200);
      await api.delete(at).expect(200);
      await given(api, 'Farm', ['renewed']);
      await api.get(at).set('If-None-Match', String(headers['etag'])).expect(200);
      await api.delete(at).set('If-Match', String(headers['etag'])).expect(412);
    });

    it('is 409 when its name is taken', async () => {
      await given(api, 'Farm', ['taken']);
      const answer = await api.post(farms, resource('Farm', 'taken')).expect(409);
      expect(answer.body.code).toBe('already_exists');
    });

    it('retries ten times with another discriminator when the first is taken, then 503', async () => {
      api.discriminators = ['same-one'];
      await given(api, 'Farm', ['first']);
      api.discriminators = ['same-one', 'same-one', 'other-on'];
      const second = await given(api, 'Farm', ['second']);
      expect(second.metadata.discriminator).toBe('other-on');
      const taken = (count: number) => Array.from({ length: count }, () => 'same-one');
      api.discriminators = [...taken(10), 'last-one'];
      expect((await given(api, 'Farm', ['lucky'])).metadata.discriminator).toBe('last-one');
      api.discriminators = taken(11);
      const answer = await api.post(farms, resource('Farm', 'third')).expect(503);
      expect(answer.body.code).toBe('discriminator_exhausted');
      expect(answer.headers['retry-after']).toBe('1');
      expect(api.discriminators).toHaveLength(0);
    });
  });

  describe('a create', () => {
    async function refused(body: Json): Promise<Json> {
      const answer = await api.post(farms, body).expect(400);
      return answer.body;
    }

    it.each([
      ['uid', someUid],
      ['revision', 1],
      ['generation', 1],
      ['discriminator', 'abcdefgh'],
      ['creationTimestamp', '2026-01-01T00:00:00.000Z'],
      ['deletionTimestamp', '2026-01-01T00:00:00.000Z'],
    ])('is 400 with the server-set %s', async (field, value) => {
      const { code, errors } = await refused(resource('Farm', 'x', { metadata: { [field]: value } }));
      expect(code).toBe('validation_failed');
      expect(errors).toEqual([{ path: `/metadata/${field}`, message: expect.any(String) }]);
    });

    it('is 400 with a status', async () => {
      expect((await refused(resource('Farm', 'x', { status: { controllers: {} } }))).errors[0].path).toBe(
        '/status',
      );
    });

    it.each([
      ['at the top', { extra: 1 }, '/extra'],
      ['in metadata', { metadata: { label: {} } }, '/metadata/label'],
    ])('is 400 with an unknown field %s', async (_where, changes, path) => {
      const { errors } = await refused(resource('Farm', 'x', changes));
      expect(errors).toEqual([{ path, message: expect.any(String) }]);
    });

    it('is 400 with an unknown field named like an object member', async () => {
      await refused(`{"apiVersion":"${v1}","kind":"Farm","metadata":{"name":"x"},"__proto__":{}}`);
      await refused(`{"apiVersion":"${v1}","kind":"Farm","metadata":{"name":"x","__proto__":{}}}`);
    });

    it.each([
      ['apiVersion', { apiVersion: undefined }],
      ['kind', { kind: undefined }],
      ['another kind', { kind: 'Barn' }],
      ['another group', { apiVersion: 'other.example/v1' }],
      ['an undeclared version', { apiVersion: 'farm.example/v9' }],
      ['a spec that is no object', { spec: [] }],
      ['a null spec', { spec: null }],
      ['metadata that is no object', { metadata: undefined }],
    ])('is 400 without or with %s', async (_name, changes) => {
      await refused({ ...resource('Farm', 'x'), ...changes });
    });

    it.each([
      ['empty', ''],
      ['upper case', 'Farm'],
      ['an underscore', 'a_b'],
      ['a hyphen first', '-a'],
      ['a dot last', 'a.'],
      ['two dots', 'a..b'],
      ['a label of 64', 'a'.repeat(64)],
      ['254 characters', `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(62)],
      ['a newline at the end', 'a\n'],
      ['a uid token', 'uid:a'],
      ['a number', 7],
    ])('is 400 with a bad name: %s', async (_name, name) => {
      const { errors } = await refused(resource('Farm', 'x', { metadata: { name } }));
      expect(errors[0].path).toBe('/metadata/name');
    });

    it.each([
      ['a label', 'a'],
      ['a label of 63', 'a'.repeat(63)],
      ['a subdomain', 'widgets.example.dev'],
      ['digits', '0'],
      ['253 characters', `${'a'.repeat(63)}.`.repeat(3) + 'b'.repeat(61)],
    ])('takes a good name: %s', async (_name, name) => {
      await given(api, 'Farm', [name]);
      await api.get(`${farms}/${name}`).expect(200);
    });

    it.each([
      [
        'annotations that are no strings',
        { annotations: { a: 1, b: 'x', c: null } },
        ['/metadata/annotations/a', '/metadata/annotations/c'],
      ],
      ['finalizers that are no list', { finalizers: 'a/b' }, ['/metadata/finalizers']],
      [
        'bad finalizers',
        { finalizers: ['', 'a b', 'x'.repeat(254), 7] },
        [0, 1, 2, 3].map((at) => `/metadata/finalizers/${at}`),
      ],
    ])('is 400 with %s', async (_name, metadata, paths) => {
      const { errors } = await refused(resource('Farm', 'x', { metadata }));
      expect(errors.map(({ path }: Json) => path)).toEqual(paths);
    });

    it('names every fault, not the first', async () => {
      const { errors } = await refused({
        apiVersion: 1,
        kind: 2,
        metadata: { name: 'A', uid: someUid },
        spec: 3,
      });
      expect(errors.map(({ path }: Json) => path).sort()).toEqual(
        ['/apiVersion', '/kind', '/metadata/name', '/metadata/uid', '/spec'].sort(),
      );
    });

    it('names the faults of the envelope and those of the schema together', async () => {
      const { code, errors } = await refused(
        resource('Farm', 'x', {
          metadata: { name: 'A', finalizers: ['system.platform.dev/x'] },
          spec: { size: 'big', soil: 1 },
          extra: 1,
        }),
      );
      expect(code).toBe('validation_failed');
      expect(errors.map(({ path }: Json) => path).sort()).toEqual([
        '/extra',
        '/metadata/finalizers',
        '/metadata/name',
        '/spec/size',
        '/spec/soil',
      ]);
    });

    it('is 400 with every fault that the schema finds', async () => {
      const { code, errors } = await refused(resource('Farm', 'x', { spec: { size: 'big', soil: 1 } }));
      expect(code).toBe('schema_violation');
      expect(errors.map(({ path }: Json) => path)).toEqual(['/spec/size', '/spec/soil']);
    });
  });
});
