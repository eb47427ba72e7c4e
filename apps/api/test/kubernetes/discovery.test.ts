import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, useApi } from '../api.ts';
import { crd } from './objects.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('discovery of the Kubernetes API', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const get = (path: string, as: string | null = 'user') => api.send('GET', `/kubernetes${path}`, as);

  beforeAll(async () => {
    const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await api.send('POST', definitions).send(crd).expect(201);
  });

  it.each(['/healthz', '/readyz', '/livez', '/readyz/ping'])('answers %s to everybody', async (path) => {
    const { text } = await get(path, null).expect(200);
    expect(text).toBe('ok');
  });

  it('says its version to everybody', async () => {
    const { body } = await get('/version', null).expect(200);
    expect(body).toMatchObject({
      major: '1',
      minor: '35',
      gitVersion: expect.stringMatching(/^v1\.35\.0\+/),
    });
  });

  it('names the paths that there are', async () => {
    const { body } = await get('');
    expect(body.paths).toEqual([...body.paths].sort());
    expect(body.paths).toEqual(
      expect.arrayContaining([
        '/api',
        '/api/v1',
        '/apis',
        '/apis/example.dev',
        '/apis/example.dev/v1',
        '/version',
      ]),
    );
    for (const path of body.paths) await get(path).expect(200);
  });

  it.each(['/', '/api', '/apis', '/api/v1', '/apis/example.dev/v1', '/openapi/v2', '/openapi/v3'])(
    'answers %s to every caller with a credential, bound to a role or not, and to nobody else',
    async (path) => {
      await get(path).expect(200);
      await get(path, 'controller').expect(200);
      await get(path, null).expect(401);
    },
  );

  it('has the older forms, which clients ask that know no aggregated one', async () => {
    expect((await get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { body: groups } = await get('/apis');
    expect(groups.kind).toBe('APIGroupList');
    const version = { groupVersion: 'example.dev/v1', version: 'v1' };
    const group = { name: 'example.dev', versions: [version], preferredVersion: version };
    expect(groups.groups).toContainEqual(expect.objectContaining(group));
    expect((await get('/apis/example.dev')).body).toMatchObject({ kind: 'APIGroup', ...group });
    const { body: list } = await get('/apis/example.dev/v1');
    expect(list).toMatchObject({ kind: 'APIResourceList', groupVersion: 'example.dev/v1' });
    expect(list.resources.map(({ name, namespaced, kind }: Json) => [name, namespaced, kind])).toEqual([
      ['widgets', true, 'Widget'],
      ['widgets/status', true, 'Widget'],
    ]);
    expect([...list.resources[0].verbs].sort()).toEqual([
      ...['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    ]);
    for (const path of ['/api/v2', '/apis/none.dev', '/apis/example.dev/v9', '/apis/example.dev/v1/x/y/z/w'])
      await get(path).expect(404);
  });

  it('has the aggregated form, with the same kinds', async () => {
    const { body, headers } = await get('/apis').set('Accept', `${aggregated},application/json`).expect(200);
    expect([body.kind, headers['content-type']]).toEqual(['APIGroupDiscoveryList', aggregated]);
    const ours = body.items.find(({ metadata }: Json) => metadata.name === 'example.dev');
    expect(ours.versions[0].resources[0]).toMatchObject({
      resource: 'widgets',
      scope: 'Namespaced',
      singularResource: 'widget',
      shortNames: ['wd'],
      responseKind: { group: 'example.dev', version: 'v1', kind: 'Widget' },
      subresources: [{ subresource: 'status' }],
    });
    const again = get('/apis')
      .set('Accept', aggregated)
      .set('If-None-Match', headers['etag'] ?? '');
    await again.expect(304);
  });

  it('answers reviews to callers without any binding', async () => {
    const authorization = { apiVersion: 'authorization.k8s.io/v1' };
    const resourceAttributes = { group: 'example.dev', resource: 'widgets', verb: 'get', namespace: 'acme' };
    const review = async (group: string, plural: string, body: object) =>
      (await api.send('POST', `/kubernetes/apis/${group}/v1/${plural}`, 'user').send(body).expect(201)).body;
    const who = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { status } = await review('authentication.k8s.io', 'selfsubjectreviews', who);
    expect(status.userInfo.username).toBe('dev@example.dev');
    const can = await review('authorization.k8s.io', 'selfsubjectaccessreviews', {
      ...authorization,
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    });
    expect(can.status).toMatchObject({ allowed: false });
    const nonResourceAttributes = { path: '/version', verb: 'get' };
    const path = await review('authorization.k8s.io', 'selfsubjectaccessreviews', {
      ...authorization,
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes },
    });
    expect(path.status).toMatchObject({ allowed: true });
    for (const spec of [
      undefined,
      {},
      { resourceAttributes: null },
      { resourceAttributes, nonResourceAttributes },
    ]) {
      const { body } = await api
        .send('POST', '/kubernetes/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'user')
        .send({ ...authorization, kind: 'SelfSubjectAccessReview', spec })
        .expect(422);
      expect(body).toMatchObject({
        reason: 'Invalid',
        details: { causes: [{ reason: 'FieldValueInvalid' }] },
      });
    }
    const rules = await review('authorization.k8s.io', 'selfsubjectrulesreviews', {
      ...authorization,
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: 'acme' },
    });
    expect(rules.status).toMatchObject({ resourceRules: [], incomplete: false });
  });
});
