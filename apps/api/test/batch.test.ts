import { type As, type Json, onEveryStore } from './api.ts';
import { definition, definitions, given, register, resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  const root = '/api/v1/resources/';
  const farms = `${root}${v1}/farms`;
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  let made = 0;

  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev'] });
  });

  const name = () => `f${++made}`;
  function send(operations: unknown, { as, query = '' }: { as?: As; query?: string } = {}) {
    const body = typeof operations === 'string' ? operations : JSON.stringify({ operations });
    return api.send('POST', `/api/v1/batch${query}`, as).type('application/json').send(body);
  }
  const post = (metadata: string, spec: Json = {}) => ({
    method: 'POST',
    path: farms,
    body: resource('Farm', metadata, { spec }),
  });

  it('runs operations in their order, and later ones see earlier ones', async () => {
    const [a, b] = [name(), name()];
    const operations = [
      post(a, { n: 1 }),
      post(b),
      { method: 'PATCH', path: `${farms}/${a}`, headers: merge, body: { spec: { n: 2 } } },
      { method: 'PUT', path: `${farms}/${a}/status`, body: { status: { ready: true } } },
      { method: 'PUT', path: `${farms}/${a}/finalizers`, body: { add: ['x/y'] } },
      { method: 'DELETE', path: `${farms}/${a}`, headers: { 'if-match': '"4"' } },
      { method: 'DELETE', path: `${farms}/${b}` },
    ];
    const { body } = await send(operations).expect(200);
    expect(body.results.map(({ status }: Json) => status)).toEqual([201, 201, 200, 200, 200, 202, 200]);
    expect(body.results[5].body.resource).toMatchObject({
      metadata: { name: a, revision: 5, finalizers: ['x/y'] },
      spec: { n: 2 },
    });
    expect((await api.get(`${v1}/farms/${a}`).expect(200)).body).toEqual(body.results[5].body.resource);
    await api.get(`${v1}/farms/${b}`).expect(404);
  });

  it('registers a kind, creates resources of it and changes the kind again', async () => {
    const barns = `${root}${v1}/barns`;
    const twoVersions = [
      { name: 'v1', served: true, storage: false },
      { name: 'v2', served: true, storage: true },
    ];
    const at = `${root}${definitions}/barns.farm.example`;
    const { body } = await send([
      { method: 'POST', path: root + definitions, body: definition('Barn') },
      { method: 'POST', path: barns, body: resource('Barn', 'a') },
      { method: 'PATCH', path: at, headers: merge, body: { spec: { versions: twoVersions } } },
      {
        method: 'POST',
        path: barns.replace(v1, 'farm.example/v2'),
        body: { ...resource('Barn', 'b'), apiVersion: 'farm.example/v2' },
      },
    ]);
    expect(body.results?.map(({ status }: Json) => status) ?? body).toEqual([201, 201, 200, 201]);
    await api.get('farm.example/v2/barns/a').expect(200);
  });

  it('keeps the digits of bodies', async () => {
    const a = name();
    const spec = '{"n":1.10,"big":9007199254740993,"huge":1e400,"__proto__":{"a":1}}';
    const body = `{"apiVersion":"${v1}","kind":"Farm","metadata":{"name":"${a}"},"spec":${spec}}`;
    const { text } = await send(`{"operations":[{"method":"POST","path":"${farms}","body":${body}}]}`).expect(
      200,
    );
    expect(text).toContain(`"spec":${spec}`);
    expect((await api.get(`${v1}/farms/${a}`).expect(200)).text).toContain(`"spec":${spec}`);
  });

  it('changes nothing when one is refused, and says which', async () => {
    const [a, taken] = [name(), name()];
    await given(api, 'Farm', [taken]);
    const records = api.audit.records.length;
    const { body } = await send([post(a), post(taken), post(name())]).expect(409);
    expect(body).toMatchObject({ code: 'already_exists', operation: 1, instance: '/api/v1/batch' });
    await api.get(`${v1}/farms/${a}`).expect(404);
    expect(api.audit.records).toHaveLength(records);
    await send([post(a)]).expect(200);
    expect(api.audit.records).toHaveLength(records + 1);
  });

  it.each([
    ['a missing resource', { method: 'DELETE', path: `${farms}/none` }, 404],
    ['an unknown collection', { method: 'DELETE', path: `${root}x.example/v1/xs/a` }, 404],
    ['a malformed path', { method: 'DELETE', path: `${farms}//` }, 400],
    ['a method that the path has not', { method: 'POST', path: `${farms}/a`, body: {} }, 405],
    ['a query that it has not', { method: 'DELETE', path: `${farms}/a?x=1` }, 400],
    ['a body that is invalid', { method: 'POST', path: farms, body: { kind: 'Farm' } }, 400],
    ['no body', { method: 'POST', path: farms }, 400],
    ['a body that is too large', post('large', { a: 'x'.repeat(70_000) }), 413],
    ['a patch without its type', { method: 'PATCH', path: `${farms}/none`, body: {} }, 415],
    ['another revision', { method: 'DELETE', path: `${farms}/none`, headers: { 'If-Match': '1' } }, 400],
  ])('%s is refused as on its own', async (_what, operation, status) => {
    const a = name();
    const { body } = await send([post(a), operation]).expect(status);
    expect(body.operation).toBe(1);
    await api.get(`${v1}/farms/${a}`).expect(404);
  });

  it.each([
    ['{"operations":{}}', 400],
    ['{}', 400],
    ['[]', 400],
    ['null', 400],
    ['{"operations":[],"more":1}', 400],
    [JSON.stringify({ operations: [{ method: 'GET', path: farms }] }), 400],
    [JSON.stringify({ operations: [{ method: 'DELETE', path: '/api/v1/projects/a' }] }), 400],
    [JSON.stringify({ operations: Array(1001).fill({ method: 'DELETE', path: farms }) }), 413],
    [`{"operations":[],"a":"${'x'.repeat(8 * 1024 * 1024)}"}`, 413],
    ['{"operations":[]}', 200],
  ])('%.40s is %d', async (text, status) => {
    await send(text).expect(status);
  });

  it('is 412 with If-Match for the whole batch, which has no version, and nothing is written', async () => {
    const a = name();
    const { body } = await send([post(a)])
      .set('If-Match', '"1"')
      .expect(412);
    expect(body.code).toBe('precondition_failed');
    await api.get(`${v1}/farms/${a}`).expect(404);
  });

  it('runs a thousand operations', async () => {
    const operations = Array.from({ length: 1_000 }, () => post(name()));
    const { body } = await send(operations).expect(200);
    expect(body.results).toHaveLength(1_000);
  }, 60_000);

  it('is open to everybody for what they may send one by one', async () => {
    const a = name();
    await given(api, 'Farm', [a]);
    const status = { method: 'PUT', path: `${farms}/${a}/status`, body: { status: 1 } };
    await send([status], { as: 'controller' }).expect(200);
    const { body } = await send([status, { method: 'DELETE', path: `${farms}/${a}` }], {
      as: 'controller',
    }).expect(403);
    expect(body.operation).toBe(1);
    expect(api.audit.records.at(-1)).toMatchObject({ message: 'resource.access_denied' });
    await send([status], { as: 'user' }).expect(403);
    await send([status], { as: null }).expect(401);
  });

  it('a dry run answers all of it and changes nothing', async () => {
    const a = name();
    const answer = await send([post(a), { method: 'DELETE', path: `${farms}/${a}` }], {
      query: '?dryRun=true',
    });
    expect(answer.body.results.map(({ status }: Json) => status)).toEqual([201, 200]);
    expect(answer.headers['x-dry-run']).toBe('true');
    const only = await send([post(a), { ...post(a), path: `${farms}?dryRun=true` }]).expect(409);
    expect(only.body.operation).toBe(1);
    const inside = await send([{ ...post(a), path: `${farms}?dryRun=true` }, post(a)]).expect(200);
    expect(inside.body.results.map(({ status }: Json) => status)).toEqual([201, 201]);
    await send([post(name())], { query: '?dryRun=maybe' }).expect(400);
  });

  it('of batches that cross, all are done', async () => {
    const names = [name(), name(), name()];
    for (const one of names) await given(api, 'Farm', [one]);
    const touch = (one: string, by: number) => ({
      method: 'PATCH',
      path: `${farms}/${one}`,
      headers: merge,
      body: { spec: { [`k${by}`]: 1 } },
    });
    const answers = await Promise.all(
      [0, 1, 2, 3].map((by) =>
        send((by % 2 === 0 ? names : [...names].reverse()).map((one) => touch(one, by))),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const one of names) {
      const { body } = await api.get(`${v1}/farms/${one}`).expect(200);
      expect(Object.keys(body.spec)).toHaveLength(4);
    }
  }, 30_000);

  // Attack: small patches of one large resource, each of which is answered by all of it.
  it('refuses more answers than fit into memory, and changes nothing', async () => {
    const platform = { apiVersion: 'platform.dev/v1alpha1' };
    const [organization, at] = [name(), `${platform.apiVersion}/configmaps`];
    const created = (kind: string, spec: Json) => ({
      ...platform,
      kind,
      metadata: { name: organization },
      spec,
    });
    await api.post(`${platform.apiVersion}/organizations`, created('Organization', {})).expect(201);
    const data = { text: 'x'.repeat(1_000_000) };
    await api.post(`${at}/${organization}`, created('ConfigMap', { data })).expect(201);
    const item = `${at}/${organization}/${organization}`;
    const change = (_: unknown, n: number) => ({
      method: 'PATCH',
      path: root + item,
      headers: merge,
      body: { metadata: { labels: { n: `${n}` } } },
    });
    const { body } = await send(Array.from({ length: 90 }, change)).expect(413);
    expect(body).toMatchObject({ code: 'payload_too_large', operation: 68 });
    expect((await api.get(item).expect(200)).body.metadata.revision).toBe(1);
  });
});
