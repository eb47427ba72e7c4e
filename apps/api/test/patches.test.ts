import { type As, type Json, onEveryStore, type TestApi } from './api.ts';
import { definitions, given, group, ownerOf, register, v1 } from './kinds.ts';

const types = { merge: 'application/merge-patch+json', json: 'application/json-patch+json' } as const;

function patch(api: TestApi, path: string, body: unknown, type: keyof typeof types = 'merge', as?: As) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return api.send('PATCH', `/api/v1/resources/${path}`, as).type(types[type]).send(text);
}

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  let made = 0;

  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev'] });
  });

  async function farm(changes: Json = {}): Promise<{ at: string; read: Json }> {
    const name = `f${++made}`;
    const read = await given(api, 'Farm', [name], changes);
    return { at: `${farms}/${name}`, read };
  }

  it('a merge patch changes what it names, and keeps the rest to the digit', async () => {
    const name = `f${++made}`;
    const at = `${farms}/${name}`;
    const spec = '{"n":1.10,"big":9007199254740993,"huge":1e400,"__proto__":{"a":1},"gone":true}';
    await api
      .post(farms, `{"apiVersion":"${v1}","kind":"Farm","metadata":{"name":"${name}"},"spec":${spec}}`)
      .expect(201);
    const { text } = await patch(
      api,
      at,
      '{"metadata":{"annotations":{"a":"b"}},"spec":{"m":2.50,"gone":null,"__proto__":{"b":1e999}}}',
    ).expect(200);
    expect(text).toContain(
      '"spec":{"n":1.10,"big":9007199254740993,"huge":1e400,"__proto__":{"a":1,"b":1e999},"m":2.50}',
    );
    expect(text).toContain('"annotations":{"a":"b"}');
    expect(JSON.parse(text).metadata).toMatchObject({ revision: 2, generation: 2 });
  });

  it.each([
    ['{"a":"b"}', '{"a":"c"}', { a: 'c' }],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', { a: { b: 'd' } }],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', { a: [1] }],
    ['{"e":null}', '{"a":1}', { e: null, a: 1 }],
    ['{}', '{"a":{"bb":{"ccc":null}}}', { a: { bb: {} } }],
  ])('RFC 7396: %s with %s', async (spec, change, expected) => {
    const { at } = await farm({ spec: JSON.parse(spec) });
    const { body } = await patch(api, at, `{"spec":${change}}`).expect(200);
    expect(body.spec).toEqual(expected);
  });

  it('a JSON patch by uid moves, tests and replaces', async () => {
    const { read } = await farm({ spec: { list: [1, 2], from: { x: 1 } } });
    const at = `${farms}/uid:${read.metadata.uid}`;
    const { body } = await patch(
      api,
      at,
      [
        { op: 'test', path: '/metadata/revision', value: 1 },
        { op: 'add', path: '/spec/list/-', value: 3 },
        { op: 'move', from: '/spec/from/x', path: '/spec/to' },
        { op: 'add', path: '/metadata/finalizers/-', value: 'example.dev/hold' },
      ],
      'json',
    ).expect(200);
    expect(body).toMatchObject({
      metadata: { revision: 2, finalizers: ['example.dev/hold'] },
      spec: { list: [1, 2, 3], from: {}, to: 1 },
    });
    await patch(api, at, { metadata: { finalizers: null } }).expect(200);
  });

  it('a patch that changes nothing keeps the revision', async () => {
    const { at, read } = await farm({ spec: { n: 1.5 }, metadata: { finalizers: ['a/b'] } });
    const same = [
      ['{}', 'merge'],
      ['{"spec":{"n":1.50}}', 'merge'],
      ['[]', 'json'],
      ['[{"op":"test","path":"/spec/n","value":15e-1}]', 'json'],
      ['[{"op":"add","path":"/metadata/finalizers/-","value":"a/b"}]', 'json'],
      [`{"metadata":{"uid":"${read.metadata.uid}","revision":1}}`, 'merge'],
    ] as const;
    for (const [body, type] of same) {
      const answer = await patch(api, at, body, type).expect(200);
      expect(answer.body).toEqual(read);
    }
    await patch(api, at, { metadata: { finalizers: [] } }).expect(200);
  });

  it.each([
    ['a malformed merge patch', '[]', 'merge', 400, 'malformed_patch'],
    ['a malformed JSON patch', '{"op":"add"}', 'json', 400, 'malformed_patch'],
    ['text that is not JSON', '{', 'merge', 400, 'malformed_body'],
    ['a missing path', '[{"op":"remove","path":"/spec/none"}]', 'json', 422, 'patch_failed'],
    ['a failed test', '[{"op":"test","path":"/spec/a","value":2}]', 'json', 422, 'patch_failed'],
    ['another name', '{"metadata":{"name":"other"}}', 'merge', 400, 'validation_failed'],
    ['no name', '{"metadata":{"name":null}}', 'merge', 400, 'validation_failed'],
    ['another uid', '{"metadata":{"uid":null}}', 'merge', 400, 'validation_failed'],
    [
      'a generation',
      '[{"op":"add","path":"/metadata/generation","value":7}]',
      'json',
      400,
      'validation_failed',
    ],
    [
      'a deletion',
      '{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00.000Z"}}',
      'merge',
      400,
      'validation_failed',
    ],
    ['the status', '{"status":{"controllers":{"x":1}}}', 'merge', 400, 'validation_failed'],
    ['no status', '{"status":null}', 'merge', 400, 'validation_failed'],
    ['an unknown member', '{"extra":1}', 'merge', 400, 'validation_failed'],
    ['another kind', '{"kind":"Other"}', 'merge', 400, 'validation_failed'],
    ['another group', '{"apiVersion":"other/v1"}', 'merge', 400, 'validation_failed'],
    ['a scalar spec', '{"spec":1}', 'merge', 400, 'validation_failed'],
    ['a scalar', '[{"op":"replace","path":"","value":1}]', 'json', 400, 'validation_failed'],
    [
      'a reserved finalizer',
      '{"metadata":{"finalizers":["system.platform.dev/x"]}}',
      'merge',
      400,
      'finalizer_reserved',
    ],
    ['another revision', '{"metadata":{"revision":9},"spec":{"a":2}}', 'merge', 409, 'revision_conflict'],
    ['another revision alone', '{"metadata":{"revision":9}}', 'merge', 409, 'revision_conflict'],
    ['another revision and uid', '{"metadata":{"revision":9,"uid":"x"}}', 'merge', 409, 'revision_conflict'],
  ] as const)('%s is refused', async (_what, body, type, status, code) => {
    const { at, read } = await farm({ spec: { a: 1 } });
    const answer = await patch(api, at, body, type).expect(status);
    expect(answer.body.code).toBe(code);
    expect((await api.get(at).expect(200)).body).toEqual(read);
  });

  it('is refused with every fault, also those of the result', async () => {
    const { at } = await farm();
    const body = {
      metadata: { name: 'other', uid: null, labels: { 'no key!': 'x' }, finalizers: ['a b'] },
      kind: 'Other',
      status: null,
      spec: 'x',
    };
    const answer = await patch(api, at, JSON.stringify(body), 'merge').expect(400);
    expect(answer.body.code).toBe('validation_failed');
    expect(answer.body.errors.map(({ path }: Json) => path).sort()).toEqual([
      '/kind',
      '/metadata/finalizers/0',
      '/metadata/labels/no key!',
      '/metadata/name',
      '/metadata/uid',
      '/spec',
      '/status',
    ]);
  });

  it('another content type is 415 with those that exist', async () => {
    const { at } = await farm();
    const answer = await api
      .send('PATCH', `/api/v1/resources/${at}`)
      .type('application/json')
      .send('{}')
      .expect(415);
    expect(answer.headers['accept-patch']).toBe(
      [...Object.values(types), 'application/apply-patch+yaml'].join(', '),
    );
  });

  it('a patch grows a resource to the limit of a body and no further', async () => {
    const { at } = await farm({ spec: { a: 'x'.repeat(40_000) } });
    const copy = [{ op: 'copy', from: '/spec/a', path: '/spec/b' }];
    expect((await patch(api, at, copy, 'json').expect(413)).body.code).toBe('payload_too_large');
  });

  // Attack: recursive functions overflow the stack on the result.
  it.each(['move', 'copy'])('a small JSON patch that nests too deep with %s is malformed', async (op) => {
    const { at } = await farm({ spec: { a: 1 } });
    const below = (pointer: string) =>
      Array.from({ length: 120 }, (_, index) => {
        const [from, to] = index % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
        const deep = `${'{"x":'.repeat(55)}1${'}'.repeat(55)}`;
        const path = `${pointer}/${to}${'/x'.repeat(55)}`;
        return `{"op":"add","path":"${pointer}/${to}","value":${deep}},{"op":"${op}","from":"${pointer}/${from}","path":"${path}"}`;
      });
    const first = `{"op":"add","path":"/status/a","value":1}`;
    for (const [path, text] of [
      [at, `[${below('/spec')}]`],
      [`${at}/status`, `[${first},${below('/status')}]`],
    ] as const) {
      const { body } = await patch(api, path, text, 'json').expect(400);
      expect(body).toMatchObject({
        code: 'malformed_body',
        detail: expect.stringContaining('deeper than 64 levels'),
      });
    }
  });

  it('If-Match is compared', async () => {
    const { at } = await farm();
    await patch(api, at, { spec: { a: 1 } })
      .set('If-Match', '"2"')
      .expect(412);
    await patch(api, at, { spec: { a: 1 } })
      .set('If-Match', '"1"')
      .expect(200);
  });

  it('of concurrent patches without a revision, all are kept', async () => {
    const { at } = await farm();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch(api, at, { spec: { [`k${index}`]: index } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { body } = await api.get(at).expect(200);
    expect(Object.keys(body.spec)).toHaveLength(20);
    expect(body.metadata.revision).toBe(21);
  });

  it('a patch and a deletion that race leave nothing behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { at } = await farm();
      const [patched] = await Promise.all([patch(api, at, { spec: { a: 1 } }), api.delete(at).expect(200)]);
      expect([200, 404]).toContain(patched.status);
      await api.get(at).expect(404);
    }
  });

  it('a version that is not the storage version is 422, in the path and in the patch', async () => {
    const versions = [
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ];
    await register(api, 'Silo', { versions });
    await given(api, 'Silo', ['s']);
    await patch(api, `${group}/v2/silos/s`, { spec: { a: 1 } }).expect(422);
    await patch(api, `${v1}/silos/s`, { apiVersion: `${group}/v2` }).expect(422);
    await patch(api, `${v1}/silos/none`, '[]').expect(404);
  });

  it('owners are checked as in a replacement', async () => {
    const owner = await farm();
    const { at, read } = await farm();
    const owners = (references: Json) => ({ metadata: { ownerReferences: references } });
    await patch(api, at, owners([ownerOf(owner.read)])).expect(200);
    expect((await patch(api, at, owners([ownerOf(read)])).expect(400)).body.code).toBe(
      'owner_reference_cycle',
    );
    expect((await patch(api, at, owners([ownerOf(owner.read, { name: 'x' })])).expect(400)).body.code).toBe(
      'owner_reference_invalid',
    );
  });

  it('a definition is patched with the rules of definitions', async () => {
    await register(api, 'Barn');
    const at = `${definitions}/barns.${group}`;
    await patch(api, at, { spec: { plural: 'users' } }).expect(400);
    const { body } = await patch(api, at, { spec: { allowedStatusControllerIds: ['a'] } }).expect(200);
    expect(body.spec).toMatchObject({ plural: 'barns', allowedStatusControllerIds: ['a'] });
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        patch(api, at, { metadata: { annotations: { [`a${index}`]: 'x' } } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  describe('a status patch', () => {
    it('applies to the slot of the caller, {} while it is absent', async () => {
      const { at } = await farm();
      const first = await patch(api, `${at}/status`, { status: { n: 1 } }, 'merge', 'controller').expect(200);
      expect(first.body.status.controllers).toEqual({ 'ctrl.example.dev': { n: 1 } });
      await patch(api, `${at}/status`, [{ op: 'add', path: '/status/m', value: 2 }], 'json', 'controller');
      const mine = await patch(api, `${at}/status`, '{"status":{"n":1.10}}').expect(200);
      expect(mine.text).toContain('"operator:Op@Example.dev":{"n":1.10}');
      expect(mine.body.status.controllers['ctrl.example.dev']).toEqual({ n: 1, m: 2 });
    });

    it('keeps the revision when it changes nothing, and clears the slot when it removes it', async () => {
      const { at } = await farm();
      expect((await patch(api, `${at}/status`, '{"status":{}}').expect(200)).body.metadata.revision).toBe(1);
      await patch(api, `${at}/status?slot=other.example.dev`, { status: { a: 1 } }).expect(200);
      const cleared = await patch(api, `${at}/status?slot=other.example.dev`, { status: null }).expect(200);
      expect(cleared.body).toMatchObject({ metadata: { revision: 3 }, status: { controllers: {} } });
    });

    it('clears a slot that is {}, and writes {} into one that is absent', async () => {
      const { at } = await farm();
      const path = `${at}/status?slot=empty`;
      const slots = async () => (await api.get(at).expect(200)).body.status.controllers;
      await patch(api, path, [{ op: 'test', path: '/status', value: {} }], 'json').expect(200);
      await patch(api, path, { status: { a: null } }).expect(200);
      expect(await slots()).toEqual({});
      await patch(api, path, [{ op: 'add', path: '/status', value: {} }], 'json').expect(200);
      expect(await slots()).toEqual({ empty: {} });
      await patch(api, path, { status: null }).expect(200);
      expect(await slots()).toEqual({});
    });

    it('of concurrent patches of one slot, all are kept', async () => {
      const { at } = await farm();
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          patch(api, `${at}/status`, { status: { [`k${index}`]: 1 } }).expect(200),
        ),
      );
      const { body } = await api.get(at).expect(200);
      expect(Object.keys(body.status.controllers['operator:Op@Example.dev'])).toHaveLength(10);
    });

    it('refuses other members, other slots of controllers, and patches that do not apply', async () => {
      const { at } = await farm();
      await patch(api, `${at}/status`, { spec: { a: 1 } }).expect(400);
      await patch(api, `${at}/status`, '[{"op":"remove","path":"/status/none"}]', 'json').expect(422);
      await patch(api, `${at}/status?slot=x`, { status: {} }, 'merge', 'controller').expect(403);
      await patch(api, `${at}/status`, { status: {} }, 'merge', 'other-controller').expect(403);
      await patch(api, at, { spec: {} }, 'merge', 'controller').expect(403);
      await patch(api, `${farms}/none/status`, { status: {} }).expect(404);
    });
  });
});
