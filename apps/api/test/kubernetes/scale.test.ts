import { describeWith, useKubernetes } from './kubernetes-clients.ts';
import { crd, organization } from './objects.ts';

const farms = '/kubernetes/apis/example.dev/v1/namespaces/acme/farms';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const text = { type: 'string' };
const count = { type: 'integer', format: 'int32', minimum: 0, maximum: 9 };
const scalePaths = {
  specReplicasPath: '.spec.servers.count',
  statusReplicasPath: '.status.count',
  labelSelectorPath: '.status.selector',
};

/** A kind whose replicas are not where those of a Deployment are. */
const farmDefinition = (scale: object = scalePaths) => ({
  ...crd,
  metadata: { name: 'farms.example.dev' },
  spec: {
    group: 'example.dev',
    scope: 'Namespaced',
    names: { kind: 'Farm', plural: 'farms' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { servers: { type: 'object', properties: { count } }, size: text },
              },
              status: { type: 'object', properties: { count, selector: text } },
            },
          },
        },
      },
    ],
  },
});

const farm = (name: string, spec: object) => ({
  apiVersion: 'example.dev/v1',
  kind: 'Farm',
  metadata: { name },
  spec,
});

describe('the subresource scale', () => {
  const { api, clients, send } = useKubernetes();
  const scale = `${farms}/north/scale`;
  const merge = 'application/merge-patch+json';
  const sizes = async () => (await send('GET', `${farms}/north`).expect(200)).body.spec;

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definitions, farmDefinition()).expect(201);
    await send('POST', farms, farm('north', { servers: { count: 2 }, size: 'small' })).expect(201);
    await send('PATCH', `${farms}/north/status`, { status: { count: 1, selector: 'a=b' } }, merge).expect(
      200,
    );
    await send('POST', farms, farm('empty', {})).expect(201);
  });

  it('shows the replicas of an object, where its definition says', async () => {
    const { body: object } = await send('GET', `${farms}/north`).expect(200);
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const { body } = await send('GET', scale).expect(200);
    expect(body).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b' },
    });
    const { body: refused } = await send('GET', `${farms}/empty/scale`).expect(422);
    expect(refused.details.causes[0].field).toBe('spec.servers.count');
    await send('GET', `${farms}/nobody/scale`).expect(404);
    await send('DELETE', scale).expect(405);
    await send('POST', scale, {}).expect(405);
  });

  it('is a table or metadata for clients that ask for those', async () => {
    const read = async (as: string) => {
      const type = `application/json;as=${as};v=v1;g=meta.k8s.io`;
      return (await send('GET', scale).set('Accept', type).expect(200).expect('Content-Type', type)).body;
    };
    const { body: whole } = await send('GET', scale).expect(200);
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: whole.metadata };
    const table = await read('Table');
    expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(table.rows).toEqual([{ cells: ['north', 2, 1, expect.any(String)], object: partial }]);
    expect(table.metadata).toEqual({ resourceVersion: whole.metadata.resourceVersion });
    expect(await read('PartialObjectMetadata')).toEqual(partial);
  });

  it('sets them and nothing else, with preconditions and a dry run', async () => {
    const { body: before } = await send('GET', scale).expect(200);
    const sent = { ...before, spec: { replicas: 3 } };
    await send('PUT', `${scale}?dryRun=All`, sent).expect(200);
    expect(await sizes()).toEqual({ servers: { count: 2 }, size: 'small' });
    expect((await send('PUT', scale, sent).expect(200)).body.spec).toEqual({ replicas: 3 });
    expect(await sizes()).toEqual({ servers: { count: 3 }, size: 'small' });
    expect((await send('PUT', scale, sent).expect(409)).body.reason).toBe('Conflict');
    const patched = await send(
      'PATCH',
      scale,
      { spec: { replicas: 4 }, metadata: { labels: { a: 'b' } } },
      merge,
    );
    expect([patched.status, patched.body.spec]).toEqual([200, { replicas: 4 }]);
    const step = [{ op: 'replace', path: '/spec/replicas', value: 5 }];
    await send('PATCH', scale, step, 'application/json-patch+json').expect(200);
    // As Ansible sends it, with the kind of the object.
    const strategic = { kind: 'Farm', metadata: { name: 'north' }, spec: { replicas: 6 } };
    await send('PATCH', scale, strategic, 'application/strategic-merge-patch+json').expect(200);
    const applied = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 7 } };
    await send('PATCH', `${scale}?fieldManager=a`, applied, 'application/apply-patch+yaml').expect(200);
    expect((await send('GET', `${farms}/north`)).body.metadata.labels).toBeUndefined();
    // Programs in Go leave out a zero.
    await send('PUT', scale, { ...applied, metadata: { name: 'north' }, spec: {} }).expect(200);
    expect(await sizes()).toEqual({ servers: { count: 0 }, size: 'small' });
    await send('PATCH', `${farms}/empty/scale`, { spec: { replicas: 1 } }, merge).expect(200);
  });

  it.each([
    ['a negative number', { spec: { replicas: -1 } }, 422],
    ['no number', { spec: { replicas: 'many' } }, 422],
    ['a fraction', { spec: { replicas: 1.5 } }, 422],
    ['more than the schema of the kind allows', { spec: { replicas: 10 } }, 422],
    ['another name', { metadata: { name: 'south' }, spec: { replicas: 1 } }, 400],
    ['another namespace', { metadata: { namespace: 'other' }, spec: { replicas: 1 } }, 400],
    ['another kind', { kind: 'Deployment', spec: { replicas: 1 } }, 400],
    ['the uid of another object', { metadata: { uid: '00000000-0000-4000-8000-000000000000' } }, 409],
  ])('refuses %s', async (_name, patch, status) => {
    const { body } = await send('PATCH', scale, patch, merge).expect(status);
    expect(body).toMatchObject({ kind: 'Status', code: status });
  });

  it('is for callers whose rules name it, as in Kubernetes', async () => {
    const rules = [{ apiGroups: ['example.dev'], resources: ['farms/scale'], verbs: ['get', 'patch'] }];
    const platform = { apiVersion: 'platform.dev/v1alpha1' };
    await api
      .post('platform.dev/v1alpha1/roles', {
        ...platform,
        kind: 'Role',
        metadata: { name: 'scaler' },
        spec: { rules },
      })
      .expect(201);
    const { uid } = (await api.get('platform.dev/v1alpha1/organizations/acme')).body.metadata;
    const scope = { ...platform, kind: 'Organization', name: 'acme', uid };
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    await api
      .post('platform.dev/v1alpha1/rolebindings', {
        ...platform,
        kind: 'RoleBinding',
        metadata: { name: 'scalers' },
        spec: { roleRef: { name: 'scaler' }, subjects, scope },
      })
      .expect(201);
    const asUser = (method: string, path: string, status: number) =>
      send(method, path, { spec: { replicas: 2 } }, merge)
        .set('Authorization', 'Bearer user')
        .expect(status);
    await asUser('PATCH', scale, 200);
    await asUser('GET', scale, 200);
    // Attack: the whole object, through the right to scale it.
    await asUser('PATCH', `${farms}/north`, 403);
    await asUser('GET', `${farms}/north`, 403);
    await asUser('GET', `${farms}/nobody/scale`, 404);
    const whole = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 2 } };
    const { body } = await send('PUT', scale, whole).set('Authorization', 'Bearer user').expect(403);
    expect(body.message).toContain('cannot update resource "farms/scale" in API group "example.dev"');
    const can = async (verb: string, subresource: string) => {
      const resourceAttributes = { verb, group: 'example.dev', resource: 'farms', namespace: 'acme' };
      const spec = { resourceAttributes: { ...resourceAttributes, subresource, name: 'north' } };
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
      const path = '/kubernetes/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      return (await send('POST', path, review).set('Authorization', 'Bearer user')).body.status.allowed;
    };
    expect([await can('patch', 'scale'), await can('update', 'scale'), await can('get', '')]).toEqual([
      true,
      false,
      false,
    ]);
    // Attack: the faults of a body, which say what the schema is, to somebody without the right.
    await send('PUT', scale, { ...whole, spec: 7 })
      .set('Authorization', 'Bearer user')
      .expect(403);
    await api.send('PUT', scale, 'user').set('Content-Type', 'application/json').send('{"spec":').expect(403);
  });

  it('is in discovery and in OpenAPI', async () => {
    const { body } = await send('GET', '/kubernetes/apis/example.dev/v1').expect(200);
    expect(body.resources).toContainEqual({
      name: 'farms/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
    const { body: openApi } = await send('GET', '/kubernetes/openapi/v3/apis/example.dev/v1').expect(200);
    const path = '/apis/example.dev/v1/namespaces/{namespace}/farms/{name}/scale';
    expect(Object.keys(openApi.paths[path])).toEqual(['parameters', 'get', 'put', 'patch']);
    expect(openApi.components.schemas).toHaveProperty(['io.k8s.api.autoscaling.v1.Scale']);
  });

  it('refuses a definition whose paths lead elsewhere', async () => {
    const paths = {
      specReplicasPath: '.status.a',
      statusReplicasPath: '.status.a[0]',
      labelSelectorPath: 'a',
    };
    const { body: read } = await send('GET', `${definitions}/farms.example.dev`).expect(200);
    const changed = { ...read, spec: farmDefinition(paths).spec };
    const { body } = await send('PUT', `${definitions}/farms.example.dev`, changed).expect(422);
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual(
      Object.keys(paths).map((name) => `spec.versions[0].subresources.scale.${name}`),
    );
  });

  describeWith('kubectl')('with kubectl (skipped where it is not installed)', () => {
    it('scales, on a condition too', async () => {
      expect(await clients.kubectl('scale', 'farm/north', '--replicas=4')).toContain('scaled');
      expect(await sizes()).toMatchObject({ servers: { count: 4 } });
      const conditional = ['scale', 'farm/north', '--replicas=0'];
      const wrong = await clients.run('kubectl', [...conditional, '--current-replicas=3']);
      expect(wrong.stderr).toContain('Expected replicas to be 3, was 4');
      await clients.kubectl(...conditional, '--current-replicas=4');
      expect(await sizes()).toMatchObject({ servers: { count: 0 } });
      expect(
        await clients.kubectl('get', 'farm', 'north', '--subresource=scale', '-o', 'jsonpath={.kind}'),
      ).toBe('Scale');
      const patch = ['patch', 'farm', 'north', '--subresource=scale', '--type=merge', '-p'];
      await clients.kubectl(...patch, '{"spec":{"replicas":2}}');
      expect(await sizes()).toMatchObject({ servers: { count: 2 } });
    });
  });
});
