import { type Json, onEveryStore } from './api.ts';
import { group, register, resource, sentBack, v1 } from './kinds.ts';

const platform = 'platform.dev/v1alpha1';
const subscriptions = `${platform}/subscriptions`;
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const url = 'https://hooks.example.dev/x';

const body = (kind: string, name: string, spec: Json): Json => ({
  apiVersion: platform,
  kind,
  metadata: { name },
  spec,
});
const subscription = (name: string, spec: Json = {}) => body('Subscription', name, { url, secret, ...spec });

onEveryStore((api) => {
  let farm: Json;

  beforeAll(async () => {
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    farm = (await api.post(`${v1}/farms`, resource('Farm', 'hill')).expect(201)).body;
  });

  const scopeOf = ({ apiVersion, kind, metadata }: Json) => ({
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
  });

  it('never returns the secret', async () => {
    const { body: created, text } = await api.post(subscriptions, subscription('quiet')).expect(201);
    expect(created.spec).toEqual({ url });
    const texts = [text];
    for (const path of ['/quiet', '', '/quiet/history?full=true', '/quiet/history/1', '/quiet/explain']) {
      texts.push((await api.get(subscriptions + path).expect((answer) => answer.status < 500)).text);
    }
    await api.put(`${subscriptions}/quiet/status`, { status: { a: 1 } }).expect(200);
    texts.push((await api.delete(`${subscriptions}/quiet`).expect(200)).text);
    for (const each of texts) expect(each).not.toMatch(/whsec_|v1\.test\./);
  });

  it('keeps the secret that a PUT, a patch or an apply leaves out, and the generation', async () => {
    const { body: created } = await api.post(subscriptions, subscription('kept')).expect(201);
    const { body: same } = await api.put(`${subscriptions}/kept`, sentBack(created)).expect(200);
    expect([same.metadata.generation, same.spec]).toEqual([1, { url }]);
    const patch = async (type: string, change: Json, query = '') =>
      (
        await api
          .send('PATCH', `/api/v1/resources/${subscriptions}/kept${query}`)
          .type(type)
          .send(JSON.stringify(change))
          .expect(200)
      ).body;
    const patched = await patch('application/merge-patch+json', { spec: { suspend: true } });
    expect([patched.metadata.generation, patched.spec]).toEqual([2, { url, suspend: true }]);
    const applied = await patch(
      'application/apply-patch+yaml',
      body('Subscription', 'kept', { suspend: true }),
      '?fieldManager=me&force=true',
    );
    expect(applied.spec).toEqual({ url, suspend: true });
    const changed = sentBack(applied);
    changed.spec.secret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    const { body: renewed } = await api.put(`${subscriptions}/kept`, changed).expect(200);
    expect(renewed.metadata.generation).toBe(3);
  });

  it('names every fault', async () => {
    const spec = {
      url: 'ftp://x',
      secret: 'short',
      selector: { kinds: ['farm'], scope: { kind: 'Farm' }, labelSelector: 'a in b', more: 1 },
    };
    const { body: refused } = await api.post(subscriptions, subscription('bad', spec)).expect(400);
    expect(refused.errors.map(({ path }: Json) => path)).toEqual(
      expect.arrayContaining([
        '/spec/url',
        '/spec/secret',
        '/spec/selector/kinds/0',
        '/spec/selector/scope/apiVersion',
        '/spec/selector/labelSelector',
        '/spec/selector/more',
      ]),
    );
    const plain = subscription('bad', { url: 'http://a.dev', secret: 'short' });
    const { body: both } = await api.post(subscriptions, plain).expect(400);
    expect(both.errors.map(({ path }: Json) => path)).toEqual(['/spec/secret', '/spec/url']);
    const scope = { apiVersion: `${group}/v1`, kind: 'Farm', name: 'none', uid: crypto.randomUUID() };
    const elsewhere = subscription('bad', { secret: 'short', selector: { scope } });
    const { body: all } = await api.post(subscriptions, elsewhere).expect(400);
    expect(all.errors.map(({ path }: Json) => path)).toEqual(['/spec/secret', '/spec/selector/scope/uid']);
    for (const kind of [
      ...['Farm.', 'Farm..a', 'Farm.a b', { kind: 'Farm', group: '' }, { kind: 'Farm', group: 'a b' }],
      ...[
        { kind: 'Farm', apiVersion: 'v1' },
        { kind: 'Farm', group, apiVersion: `${group}/v1` },
      ],
      5,
    ]) {
      const bad = subscription('bad', { selector: { kinds: [kind] } });
      const { body: problem } = await api.post(subscriptions, bad).expect(400);
      expect(problem.errors[0].path).toMatch(/^\/spec\/selector\/kinds\/0/);
      expect(problem.errors[0].message).toMatch(/^must /);
    }
    for (const bad of [
      'https://a.dev/#',
      'https://@a.dev',
      ' https://a.dev',
      'https://a.dev/\u0001',
      'https:a.dev',
    ])
      await api.post(subscriptions, subscription('bad', { url: bad })).expect(400);
    await api.post(subscriptions, body('Subscription', 'bad', { url })).expect(400);
    await api.post(subscriptions, subscription('bad', { url: 'http://hooks.example.dev' })).expect(400);
    const lost = { ...scopeOf(farm), uid: '00000000-0000-7000-8000-00000000dead' };
    const { body: noScope } = await api
      .post(subscriptions, subscription('bad', { selector: { scope: lost } }))
      .expect(400);
    expect(noScope.errors[0].path).toBe('/spec/selector/scope/uid');
  });

  it('lets bound users subscribe only to what they may list', async () => {
    const rules = [
      { apiGroups: ['platform.dev'], resources: ['subscriptions'], verbs: ['*'] },
      { apiGroups: [group], resources: ['farms'], verbs: ['list'] },
    ];
    await api.post(`${platform}/roles`, body('Role', 'subscriber', { rules })).expect(201);
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    const binding = body('RoleBinding', 'subscriber', { roleRef: { name: 'subscriber' }, subjects });
    await api.post(`${platform}/rolebindings`, binding).expect(201);
    const selecting = (name: string, kinds: readonly Json[]) => subscription(name, { selector: { kinds } });
    await api.post(subscriptions, selecting('mine', [`Farm.${group}`]), 'user').expect(201);
    const refused = [
      selecting('none', []),
      selecting('any', ['Farm']),
      selecting('field', [`Field.${group}`]),
      selecting('secret', ['Secret.platform.dev']),
      subscription('all'),
    ];
    for (const each of refused) await api.post(subscriptions, each, 'user').expect(403);
    const { body: mine } = await api.get(`${subscriptions}/mine`, 'user').expect(200);
    const wider = { ...sentBack(mine), spec: { ...mine.spec, selector: {} } };
    await api.put(`${subscriptions}/mine`, wider, 'user').expect(403);
    await api.post(subscriptions, selecting('mine2', [`Farm.${group}`]), 'serviceaccount').expect(403);
  });

  // Attack: somebody who may subscribe in one scope tries uids, to learn which of them exist elsewhere.
  it('refuses a scope that does not exist like one in which the caller may not list', async () => {
    const { body: hidden } = await api.post(`${v1}/farms`, resource('Farm', 'hidden')).expect(201);
    const rules = [{ apiGroups: [group], resources: ['fields'], verbs: ['list'] }];
    await api.post(`${platform}/roles`, body('Role', 'field-lister', { rules })).expect(201);
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    const binding = { roleRef: { name: 'field-lister' }, subjects, scope: scopeOf(farm) };
    await api.post(`${platform}/rolebindings`, body('RoleBinding', 'field-lister', binding)).expect(201);
    const kinds = [`Field.${group}`];
    const within = (name: string, scope: Json) =>
      api.post(subscriptions, subscription(name, { selector: { kinds, scope } }), 'user');
    await within('below', scopeOf(farm)).expect(201);
    const lost = { ...scopeOf(hidden), uid: '00000000-0000-7000-8000-00000000dead' };
    for (const scope of [scopeOf(hidden), { ...scopeOf(hidden), name: 'other' }, lost])
      expect((await within('elsewhere', scope).expect(403)).body.code).toBe('forbidden');
    await within('misspelt', { ...scopeOf(farm), name: 'hidden' }).expect(400);
  });
});
