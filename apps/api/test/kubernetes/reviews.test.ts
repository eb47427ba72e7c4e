import { type Json, useApi } from '../api.ts';
import { crd, organization, widget } from './objects.ts';

const groups = '/kubernetes/apis';
const access = 'authorization.k8s.io/v1/selfsubjectaccessreviews';
const rules = 'authorization.k8s.io/v1/selfsubjectrulesreviews';
const whoami = 'authentication.k8s.io/v1/selfsubjectreviews';

describe('reviews of the Kubernetes API', () => {
  const api = useApi();
  const ask = (path: string, body: object, as = 'user') =>
    api.send('POST', `${groups}/${path}`, as).send(body);
  const isAllowed = async (spec: object, as = 'user') =>
    (await ask(access, { spec }, as).expect(201)).body.status.allowed;
  const platform = (kind: string, name: string, spec: object): Json => ({
    apiVersion: 'platform.dev/v1alpha1',
    kind,
    metadata: { name },
    spec,
  });

  beforeAll(async () => {
    const acme = await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    const { name, uid } = acme.body.metadata;
    const scope = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', name, uid };
    const platformRules = [
      { apiGroups: ['platform.dev'], resources: ['secrets', 'leases/status'], verbs: ['list'] },
      { apiGroups: ['platform.dev'], resources: ['configmaps'], verbs: ['delete'] },
      { apiGroups: ['platform.dev'], resources: ['leases'], verbs: ['list', 'delete'] },
    ];
    await api
      .post('platform.dev/v1alpha1/roles', platform('Role', 'some', { rules: platformRules }))
      .expect(201);
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    const binding = platform('RoleBinding', 'some', { roleRef: { name: 'some' }, subjects, scope });
    await api.post('platform.dev/v1alpha1/rolebindings', binding).expect(201);
  });

  it.each([
    [access, { spec: { resourceAttributes: { namespace: 5 } } }],
    [access, { spec: { resourceAttributes: { name: [{}] } } }],
    [access, { spec: { resourceAttributes: { verb: true } } }],
    [access, { spec: { resourceAttributes: 'x' } }],
    [access, { spec: { nonResourceAttributes: { path: {} } } }],
    [access, { spec: 'x' }],
    [access, []],
    [access, { kind: 'Other', spec: { resourceAttributes: {} } }],
    [access, { apiVersion: 'authorization.k8s.io/v1beta1', spec: { resourceAttributes: {} } }],
    [rules, { spec: { namespace: 5 } }],
    [rules, { metadata: 5 }],
    [whoami, { kind: 'SelfSubjectAccessReview' }],
  ])('refuse at %s with 400: %j', async (path, body) => {
    const answer = await ask(path, body).expect(400);
    expect(answer.body).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
  });

  it('say what they are, also to clients that leave it out, and take bodies without a media type and in YAML', async () => {
    const { body } = await ask(whoami, {}).expect(201);
    expect(body).toMatchObject({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {},
      status: { userInfo: { username: 'dev@example.dev' } },
    });
    const yaml = api.send('POST', `${groups}/${access}`, 'user').set('Content-Type', 'application/yaml');
    await yaml.send('spec: { nonResourceAttributes: { path: /version, verb: get } }').expect(201);
    const missing = await ask(access, {}).expect(422);
    expect(missing.body.message).toContain('SelfSubjectAccessReview.authorization.k8s.io "" is invalid');
  });

  it.each([
    'authentication.k8s.io/v1beta1/selfsubjectreviews',
    'authorization.k8s.io/v2/selfsubjectaccessreviews',
    'authorization.k8s.io/v1/namespaces/acme/selfsubjectaccessreviews',
    'authorization.k8s.io/v1/subjectaccessreviews',
  ])('are not served at %s', async (path) => {
    await ask(path, {}).expect(404);
  });

  it('allow reads of the paths that are open to everybody, and of others to operators', async () => {
    const asks = (path: string, verb = 'get', as = 'user') =>
      isAllowed({ nonResourceAttributes: { path, verb } }, as);
    for (const path of ['/api', '/apis/example.dev/v1', '/openapi/v3', '/version', '/healthz'])
      expect(await asks(path)).toBe(true);
    expect(await asks('/metrics')).toBe(false);
    expect(await asks('/versions')).toBe(false);
    expect(await asks('/api', 'post')).toBe(false);
    expect(await asks('/metrics', 'get', 'operator')).toBe(true);
  });

  it('allow the deletion of collections to those who may list and delete what is in them', async () => {
    const asks = (group: string, resource: string) =>
      isAllowed({ resourceAttributes: { verb: 'deletecollection', namespace: 'acme', group, resource } });
    expect(await asks('', 'configmaps')).toBe(false);
    expect(await asks('', 'secrets')).toBe(false);
    expect(await asks('coordination.k8s.io', 'leases')).toBe(true);
  });

  it('list rules by the groups of Kubernetes, too', async () => {
    const { body } = await ask(rules, { spec: { namespace: 'acme' } }).expect(201);
    expect(body.status.resourceRules).toEqual([
      { apiGroups: ['platform.dev'], resources: ['secrets', 'leases/status'], verbs: ['list'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['list'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases/status'], verbs: ['list'] },
      { apiGroups: ['platform.dev'], resources: ['configmaps'], verbs: ['delete'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] },
      { apiGroups: ['platform.dev'], resources: ['leases'], verbs: ['list', 'delete'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['list', 'delete'] },
    ]);
  });

  it('say that rules are missing to a controller, which may write the kinds that list it', async () => {
    const spec = { namespace: 'acme' };
    expect((await ask(rules, { spec }, 'controller').expect(201)).body.status).toMatchObject({
      resourceRules: [],
      incomplete: true,
    });
    expect((await ask(rules, { spec }).expect(201)).body.status.incomplete).toBe(false);
  });

  it('know a binding from the first review after its write on, and no longer than it exists', async () => {
    const resourceAttributes = { verb: 'list', namespace: 'acme', group: '', resource: 'secrets' };
    const allRules = async () =>
      (await ask(rules, { spec: { namespace: 'acme' } }, 'other-controller')).body.status.resourceRules;
    const isListed = () => isAllowed({ resourceAttributes }, 'other-controller');
    expect([await isListed(), await allRules()]).toEqual([false, []]);
    const subjects = [{ kind: 'Controller', name: 'other.example.dev' }];
    const binding = platform('RoleBinding', 'late', { roleRef: { name: 'some' }, subjects });
    const path = 'platform.dev/v1alpha1/rolebindings';
    await api.post(path, binding).expect(201);
    expect(await isListed()).toBe(true);
    await api.delete(`${path}/late`).expect(200);
    expect(await allRules()).toEqual([]);
    await api.post(path, binding).expect(201);
    expect(await allRules()).not.toEqual([]);
    await api.delete(`${path}/late`).expect(200);
    expect(await isListed()).toBe(false);
  });

  it('of a status say what reading it needs: the verb get on the status, not on the object', async () => {
    const beta = await api.post('platform.dev/v1alpha1/organizations', organization('beta')).expect(201);
    await api
      .send('POST', `${groups}/apiextensions.k8s.io/v1/customresourcedefinitions`)
      .send(crd)
      .expect(201);
    await api.post('example.dev/v1/widgets/beta', widget('small')).expect(201);
    const spec = { rules: [{ apiGroups: ['example.dev'], resources: ['widgets/status'], verbs: ['get'] }] };
    await api.post('platform.dev/v1alpha1/roles', platform('Role', 'status', spec)).expect(201);
    const { name, uid } = beta.body.metadata;
    const binding = platform('RoleBinding', 'status', {
      roleRef: { name: 'status' },
      subjects: [{ kind: 'User', name: 'dev@example.dev' }],
      scope: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', name, uid },
    });
    await api.post('platform.dev/v1alpha1/rolebindings', binding).expect(201);
    const asked = {
      verb: 'get',
      namespace: 'beta',
      group: 'example.dev',
      resource: 'widgets',
      name: 'small',
    };
    const path = `${groups}/example.dev/v1/namespaces/beta/widgets/small`;
    expect(await isAllowed({ resourceAttributes: { ...asked, subresource: 'status' } })).toBe(true);
    await api.send('GET', `${path}/status`, 'user').expect(200);
    expect(await isAllowed({ resourceAttributes: asked })).toBe(false);
    await api.send('GET', path, 'user').expect(403);
  });
});
