import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';

const definitions = 'platform.dev/v1alpha1/resourcedefinitions';
const definition = (served: boolean) => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'ResourceDefinition',
  metadata: { name: 'gauges.example.dev' },
  spec: {
    group: 'example.dev',
    kind: 'Gauge',
    plural: 'gauges',
    versions: [
      { name: 'v1', served, storage: true, schema: { properties: { size: { maximum: 9 } } } },
      { name: 'v2', served: true, storage: false },
    ],
  },
});

describe('a kind whose storage version is not served', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const at = (version: string, rest = '') => `/kubernetes/apis/example.dev/${version}/gauges${rest}`;
  const gauge = (name: string, size: number) => ({
    apiVersion: 'example.dev/v2',
    kind: 'Gauge',
    metadata: { name },
    spec: { size },
  });
  const send = (method: string, path: string, body: object = {}, type = 'application/json') =>
    api.send(method, path).set('Content-Type', type).send(JSON.stringify(body));

  beforeAll(async () => {
    const { body } = await api.post(definitions, definition(true)).expect(201);
    const { revision } = body.metadata;
    const unserved = { ...definition(false), metadata: { name: 'gauges.example.dev', revision } };
    await api.put(`${definitions}/gauges.example.dev`, unserved).expect(200);
  });

  it('is written at a served version, and stored at the storage version', async () => {
    const created = await send('POST', at('v2'), gauge('one', 1)).expect(201);
    expect(created.body).toMatchObject({ apiVersion: 'example.dev/v2', spec: { size: 1 } });
    await send('PUT', at('v2', '/one'), { ...created.body, spec: { size: 2 } }).expect(200);
    const merge = 'application/merge-patch+json';
    await send('PATCH', at('v2', '/one'), { spec: { size: 3 } }, merge).expect(200);
    await send('PATCH', at('v2', '/one/status'), { status: { ready: true } }, merge).expect(200);
    const apply = 'application/apply-patch+yaml';
    await send('PATCH', at('v2', '/two?fieldManager=m'), gauge('two', 4), apply).expect(201);
    await send('POST', at('v2'), gauge('large', 10)).expect(422);
    const { body } = await api.send('GET', '/api/v1/search?q=one').expect(200);
    expect(body.items).toMatchObject([{ apiVersion: 'example.dev/v1', spec: { size: 3 } }]);
  });

  it('is deleted at a served version', async () => {
    await send('DELETE', at('v2', '/one')).expect(200);
    await send('DELETE', at('v2')).expect(200);
    expect((await api.send('GET', at('v2')).expect(200)).body.items).toEqual([]);
  });

  it('stays out of reach at the version that is not served', async () => {
    await send('POST', at('v1'), { ...gauge('three', 1), apiVersion: 'example.dev/v1' }).expect(404);
    await send('DELETE', at('v1')).expect(404);
    await api
      .post('example.dev/v1/gauges', { ...gauge('three', 1), apiVersion: 'example.dev/v1' })
      .expect(404);
  });
});

describe('a kind with different fields at its versions', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const at = (version: string, rest = '') => `/kubernetes/apis/example.dev/${version}/pipes${rest}`;
  const pipe = (version: string, name: string, spec: object) => ({
    apiVersion: `example.dev/${version}`,
    kind: 'Pipe',
    metadata: { name },
    spec,
  });
  const send = (method: string, path: string, body: object, type = 'application/json') =>
    api.send(method, path).set('Content-Type', type).send(JSON.stringify(body));
  const strict = '?fieldValidation=Strict';

  beforeAll(async () => {
    const version = (name: string, storage: boolean, field: string) => {
      const text = { type: 'string' };
      const spec = { type: 'object', properties: { size: text, [field]: text } };
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      return { name, served: true, storage, schema };
    };
    await send('POST', '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'pipes.example.dev' },
      spec: {
        group: 'example.dev',
        names: { kind: 'Pipe', plural: 'pipes' },
        scope: 'Cluster',
        versions: [version('v1', false, 'old'), version('v2', true, 'fresh')],
      },
    }).expect(201);
  });

  it('takes those of the version that a write names, and stores them', async () => {
    const created = await send('POST', at('v1', strict), pipe('v1', 'a', { size: 's', old: 'o' }));
    expect(created.body.spec).toEqual({ size: 's', old: 'o' });
    const read = await api.send('GET', at('v1', '/a')).expect(200);
    expect(read.body.spec).toEqual({ size: 's', old: 'o' });
    const merge = 'application/merge-patch+json';
    const patched = await send('PATCH', at('v1', `/a${strict}`), { spec: { old: 'p' } }, merge).expect(200);
    expect(patched.body.spec).toEqual({ size: 's', old: 'p' });
    const apply = 'application/apply-patch+yaml';
    const path = at('v1', `/b${strict}&fieldManager=m`);
    const applied = await send('PATCH', path, pipe('v1', 'b', { old: 'o' }), apply).expect(201);
    expect(applied.body.spec).toEqual({ old: 'o' });
  });

  it('refuses those of other versions when they are strictly validated', async () => {
    for (const [version, spec, field] of [
      ['v1', { fresh: 'x' }, 'fresh'],
      ['v2', { old: 'x' }, 'old'],
    ] as const) {
      const refused = await send('POST', at(version, strict), pipe(version, 'c', spec)).expect(400);
      expect(refused.body.message).toBe(`strict decoding error: unknown field "spec.${field}"`);
    }
    const warned = await send('POST', at('v1'), pipe('v1', 'c', { fresh: 'x', typo: 'y', old: 'z' })).expect(
      201,
    );
    expect(warned.headers['warning']).toContain('unknown field \\"spec.typo\\"');
    expect(warned.body.spec).toEqual({ old: 'z' });
  });

  it('takes an object as it was read at another version', async () => {
    await send('POST', at('v2'), pipe('v2', 'd', { size: 's', fresh: 'f' })).expect(201);
    const { body } = await api.send('GET', at('v1', '/d')).expect(200);
    const replaced = await send('PUT', at('v1', `/d${strict}`), {
      ...body,
      spec: { ...body.spec, size: 't' },
    });
    expect(replaced.body.spec).toEqual({ size: 't', fresh: 'f' });
  });
});
