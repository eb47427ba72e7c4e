import { type Json, onEveryStore } from './api.ts';
import { given, organizations, register, resource, sentBack, v1 } from './kinds.ts';

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

  describe('a replacement', () => {
    let made = 0;
    let stored: Json;
    let path: string;

    beforeEach(async () => {
      made += 1;
      stored = await given(api, 'Farm', [`r${made}`], {
        metadata: { annotations: { a: '1' } },
        spec: { size: 1 },
      });
      path = `${farms}/r${made}`;
    });

    it('replaces what the client controls, whole', async () => {
      const answer = await api.put(path, {
        ...resource('Farm', stored.metadata.name),
        metadata: { name: stored.metadata.name, revision: 1, finalizers: ['a/b'] },
        spec: { soil: 'clay' },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers['etag']).toBe(`"${answer.body.metadata.uid}.2"`);
      expect(answer.body).toMatchObject({ spec: { soil: 'clay' }, status: stored.status });
      expect(answer.body.metadata).toEqual({
        ...stored.metadata,
        annotations: {},
        finalizers: ['a/b'],
        revision: 2,
        generation: 2,
      });
    });

    it('takes back what was read, and then only the revision grows', async () => {
      const { body } = await api.put(path, sentBack(stored)).expect(200);
      expect(body).toEqual({ ...stored, metadata: { ...stored.metadata, revision: 2 } });
    });

    it('counts a generation only when the spec has another value', async () => {
      const text = JSON.stringify(sentBack(stored)).replace('"spec":{"size":1}', '"spec":{ "size" : 1.0 }');
      expect((await api.put(path, text).expect(200)).body.metadata).toMatchObject({
        revision: 2,
        generation: 1,
      });
      const { body } = await api.put(
        path,
        sentBack(stored, { metadata: { revision: 2 }, spec: { size: 2 } }),
      );
      expect(body.metadata).toMatchObject({ revision: 3, generation: 2 });
    });

    it('is 400 without a revision', async () => {
      const answer = await api.put(path, resource('Farm', stored.metadata.name)).expect(400);
      expect(answer.body.code).toBe('revision_required');
    });

    it('is 409 with another revision, and says the current one', async () => {
      await api.put(path, sentBack(stored)).expect(200);
      const answer = await api.put(path, sentBack(stored)).expect(409);
      expect(answer.body).toMatchObject({ code: 'revision_conflict', currentRevision: 2 });
    });

    it.each([0, -1, 2 ** 53, 2 ** 63])(
      'is 409 with the revision %p, that no resource has',
      async (revision) => {
        const answer = await api.put(path, sentBack(stored, { metadata: { revision } })).expect(409);
        expect(answer.body).toMatchObject({ code: 'revision_conflict', currentRevision: 1 });
      },
    );

    it.each([['1'], [1.5], ['x'], [true]])('is 400 with the revision %p', async (revision) => {
      await api.put(path, sentBack(stored, { metadata: { revision } })).expect(400);
    });

    it('is 400 with another name, or without one', async () => {
      await api.put(path, sentBack(stored, { metadata: { name: 'other' } })).expect(400);
      await api.put(path, sentBack(stored, { metadata: { name: undefined } })).expect(400);
    });

    it.each([
      ['uid', someUid],
      ['generation', 7],
      ['discriminator', 'abcdefgh'],
      ['creationTimestamp', '2000-01-01T00:00:00.000Z'],
      ['deletionTimestamp', '2026-01-01T00:00:00.000Z'],
    ])('is 400 with another %s', async (field, value) => {
      const answer = await api.put(path, sentBack(stored, { metadata: { [field]: value } })).expect(400);
      expect(answer.body.errors).toEqual([{ path: `/metadata/${field}`, message: expect.any(String) }]);
    });

    it('is 400 with a status, even the stored one', async () => {
      await api.put(path, stored).expect(400);
    });

    it('is 400 with another kind, another group or an undeclared version in the body', async () => {
      await api.put(path, sentBack(stored, { kind: 'Barn' })).expect(400);
      await api.put(path, sentBack(stored, { apiVersion: 'other.example/v1' })).expect(400);
      await api.put(path, sentBack(stored, { apiVersion: 'farm.example/v9' })).expect(400);
    });

    it('validates the new spec', async () => {
      const answer = await api.put(path, sentBack(stored, { spec: { size: 'x' } })).expect(400);
      expect(answer.body).toMatchObject({ code: 'schema_violation', errors: [{ path: '/spec/size' }] });
    });

    it('names the faults of the envelope and those of the new spec together, but a stale revision alone', async () => {
      const faulty = { metadata: { revision: undefined, uid: someUid }, spec: { size: 'x' }, extra: 1 };
      const { body } = await api.put(path, sentBack(stored, faulty)).expect(400);
      expect(body.errors.map(({ path }: Json) => path).sort()).toEqual([
        '/extra',
        '/metadata/revision',
        '/metadata/uid',
        '/spec/size',
      ]);
      const stale = { metadata: { revision: 999, uid: someUid }, spec: { size: 'x' } };
      const conflict = await api.put(path, sentBack(stored, stale)).expect(409);
      expect(conflict.body).not.toHaveProperty('errors');
    });

    it('is 404 for a missing row, whatever its body', async () => {
      await api.put(`${farms}/gone`, '{}').expect(404);
    });

    it('lets one of two writers with the same revision win', async () => {
      const answers = await Promise.all([api.put(path, sentBack(stored)), api.put(path, sentBack(stored))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  describe('an Organization', () => {
    const organization = (name: string, spec: Json) => ({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name },
      spec,
    });

    it('has three strings, and keeps whatever else it was given', async () => {
      const spec = {
        deploymentControllerClass: 'k',
        displayName: 'd',
        description: '',
        other: { deep: [1] },
      };
      const { body } = await api.post(organizations, organization('acme', spec)).expect(201);
      expect(body.spec).toEqual(spec);
    });

    it('is 400 when one of them is no string, naming each', async () => {
      const spec = { deploymentControllerClass: 1, displayName: [], description: null };
      const { body } = await api.post(organizations, organization('bad', spec)).expect(400);
      expect(body.errors.map(({ path }: Json) => path)).toEqual([
        '/spec/deploymentControllerClass',
        '/spec/displayName',
        '/spec/description',
      ]);
    });
  });
});
