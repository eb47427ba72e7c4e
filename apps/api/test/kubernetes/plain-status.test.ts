import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { crd, organization, widget } from './objects.ts';

const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const inAcme = '/kubernetes/apis/example.dev/v1/namespaces/acme';
const merge = 'application/merge-patch+json';
const applyType = 'application/apply-patch+yaml';

describe('an object whose definition declares no subresource status', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const send = (method: string, path: string, body: object, type = 'application/json') =>
    api.send(method, path).set('Content-Type', type).send(JSON.stringify(body));
  const plain = (name: string, status?: object) => ({
    ...widget(name, { size: 'small' }),
    kind: 'Plain',
    ...(status === undefined ? {} : { status }),
  });

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definitions, crd).expect(201);
    const [{ subresources: _, ...version } = {}] = crd.spec.versions;
    await send('POST', definitions, {
      ...crd,
      metadata: { name: 'plains.example.dev' },
      spec: { ...crd.spec, names: { kind: 'Plain', plural: 'plains' }, versions: [version] },
    }).expect(201);
  });

  it('keeps its status in writes of the object, which say so', async () => {
    const warning = '299 - "\\"status\\" was left as it is: write it to the subresource \\"status\\""';
    const plains = `${inAcme}/plains`;
    const made = await send('POST', plains, plain('one', { a: 1 })).expect(201);
    expect([made.headers['warning'], made.body.status]).toEqual([warning, undefined]);
    await send('PATCH', `${plains}/one/status`, { status: { a: 1 } }, merge).expect(200);
    const patched = await send('PATCH', `${plains}/one`, { status: { a: 2 } }, merge).expect(200);
    expect([patched.headers['warning'], patched.body.status]).toEqual([warning, { a: 1 }]);
    const applied = `${plains}/one?fieldManager=a`;
    expect((await send('PATCH', applied, plain('one', { a: 2 }), applyType)).headers['warning']).toBe(
      warning,
    );
    const unknown = { ...plain('one', { a: 2 }), spec: { size: 'small', colour: 'red' } };
    expect((await send('PUT', `${plains}/one`, { ...unknown, metadata: made.body.metadata })).status).toBe(
      409,
    );
    const both = await send('PATCH', `${plains}/one`, { spec: { colour: 'red' }, status: { a: 2 } }, merge);
    expect(both.headers['warning']).toBe(`299 - "unknown field \\"spec.colour\\"", ${warning}`);
  });

  it('says nothing of a status that stays, and of kinds that declare the subresource', async () => {
    const plains = `${inAcme}/plains`;
    await send('POST', plains, plain('two', {})).expect(201);
    const label = { metadata: { labels: { a: 'b' } } };
    const written = await send('PATCH', `${plains}/two/status`, { status: { a: 1 } }, merge).expect(200);
    const labeled = await send('PATCH', `${plains}/two`, label, merge).expect(200);
    const declared = await send('POST', `${inAcme}/widgets`, {
      ...widget('three', { size: 'small' }),
      status: { a: 1 },
    }).expect(201);
    for (const { headers } of [written, labeled, declared]) expect(headers).not.toHaveProperty('warning');
  });
});
