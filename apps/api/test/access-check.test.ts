import { type Json, onEveryStore } from './api.ts';
import { register, resource, v1 } from './kinds.ts';

const platform = 'platform.dev/v1alpha1';
const below = '/api/v1/resources';
const editor = { apiGroups: ['*'], resources: ['fields', 'fields/status'], verbs: ['get', 'list', 'update'] };
const daleLister = {
  apiGroups: ['*'],
  resources: ['farms'],
  resourceNames: ['dale'],
  verbs: ['list', 'watch'],
};
const user = { kind: 'User', name: 'dev@example.dev' };
const named = { kind: 'User', name: 'named@example.dev' };

onEveryStore((api) => {
  let hill: Json;

  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev'] });
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    hill = (await api.post(`${v1}/farms`, resource('Farm', 'hill')).expect(201)).body;
    await api.post(`${v1}/farms`, resource('Farm', 'dale')).expect(201);
    await api.post(`${v1}/fields/hill`, resource('Field', 'north')).expect(201);
    const { apiVersion, kind, metadata } = hill;
    const documents = [
      ['roles', 'Role', 'field-editor', { rules: [editor] }],
      [
        'rolebindings',
        'RoleBinding',
        'hill-editors',
        {
          roleRef: { name: 'field-editor' },
          subjects: [user, { kind: 'Group', name: 'hands' }],
          scope: { apiVersion, kind, name: metadata.name, uid: metadata.uid },
        },
      ],
      ['roles', 'Role', 'dale-lister', { rules: [daleLister] }],
      [
        'rolebindings',
        'RoleBinding',
        'dale-listers',
        { roleRef: { name: 'dale-lister' }, subjects: [named] },
      ],
    ] as const;
    for (const [plural, one, name, spec] of documents) {
      const body = { apiVersion: platform, kind: one, metadata: { name }, spec };
      await api.post(`${platform}/${plural}`, body).expect(201);
    }
  });

  const ask = (checks: unknown, as = 'user', more: Json = {}) =>
    api
      .send('POST', '/api/v1/access/check', as)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify({ checks, ...more }));
  const allowedTo = async (verb: string, path: string, as = 'user', more: Json = {}): Promise<Json> =>
    (await ask([{ verb, path: `${below}/${path}` }], as, more).expect(200)).body.results[0];

  describe('POST /access/check', () => {
    it('says which binding, role and rule allow a request', async () => {
      expect(await allowedTo('update', `${v1}/fields/hill/north/status?dryRun=true`)).toEqual({
        allowed: true,
        because: {
          type: 'binding',
          binding: 'hill-editors',
          role: 'field-editor',
          rule: editor,
          scope: hill['metadata'].uid,
        },
      });
    });

    it.each([
      ['get', `${v1}/fields/hill/north`, true],
      ['get', `${v1}/fields/hill/missing`, true],
      ['list', `${v1}/fields/hill`, true],
      ['delete', `${v1}/fields/hill/north`, false],
      ['get', `${v1}/fields/dale/south`, false],
      ['get', `${v1}/fields/nowhere/north`, false],
      ['list', `${v1}/fields/dale`, false],
      ['get', `${v1}/farms/hill`, false],
      ['get', 'unknown.dev/v1/things/one', false],
      ['get', 'pending-deletion', false],
    ])('answers %s %s with %s, for somebody bound to one farm', async (verb, path, allowed) => {
      expect((await allowedTo(verb, path)).allowed).toBe(allowed);
    });

    it.each([
      ['list', 'metadata.name=dale', true],
      ['watch', 'metadata.name==dale,metadata.deletionTimestamp=', true],
      ['list', 'metadata.name!=dale', false],
      ['list', 'metadata.name=hill', false],
      ['get', 'metadata.name=dale', false],
    ])('compares resourceNames with the name that a %s selects: %s', async (verb, selector, allowed) => {
      const path = `${v1}/farms?fieldSelector=${encodeURIComponent(selector)}`;
      const as = { kind: 'User', name: 'named@example.dev' };
      expect((await allowedTo(verb, path, 'operator', { as })).allowed).toBe(allowed);
    });

    it('tells operators and the controllers of a definition why they may', async () => {
      const path = `${v1}/farms/hill/status`;
      expect(await allowedTo('delete', `${v1}/farms/hill`, 'operator')).toEqual({
        allowed: true,
        because: { type: 'operator' },
      });
      expect((await allowedTo('update', path, 'controller')).because).toEqual({ type: 'controller' });
      expect(await allowedTo('update', path, 'other-controller')).toEqual({ allowed: false });
    });

    it.each([
      [user, true],
      [{ kind: 'User', name: 'DEV@EXAMPLE.DEV' }, true],
      [{ kind: 'Group', name: 'hands' }, true],
      [{ kind: 'User', name: 'hands' }, false],
      [{ kind: 'ServiceAccount', name: 'shop+ci@sa.platform.local' }, false],
    ])('lets operators ask for %j', async (as, allowed) => {
      expect((await allowedTo('get', `${v1}/fields/hill/north`, 'operator', { as })).allowed).toBe(allowed);
    });

    it.each([
      { kind: 'User', name: 'OP@example.dev' },
      { kind: 'Group', name: 'operators' },
    ])('knows that %j is an operator', async (as) => {
      expect(await allowedTo('delete', `${v1}/fields/hill/north`, 'operator', { as })).toEqual({
        allowed: true,
        because: { type: 'operator' },
      });
    });

    it('lets nobody else ask for others', async () => {
      const { body } = await ask([{ verb: 'get', path: `${below}/${v1}/farms` }], 'user', { as: user });
      expect([body.status, body.code]).toEqual([403, 'forbidden']);
    });

    it('refuses faulty questions with every fault', async () => {
      const checks = [
        { verb: 'read', path: `${below}/${v1}/farms` },
        { verb: 'get', path: '/api/v1/projects' },
        { verb: 'get', path: `${below}/farms` },
        { verb: 'get' },
      ];
      const { body } = await ask(checks).expect(400);
      expect(body.errors.map(({ path }: Json) => path)).toEqual([
        '/checks/0/verb',
        '/checks/1/path',
        '/checks/2/path',
        '/checks/3/path',
      ]);
      await ask([]).expect(400);
      const many = Array.from({ length: 101 }, () => ({ verb: 'get', path: `${below}/${v1}/farms` }));
      await ask(many).expect(400);
    });

    it('says that bindings may be created in a scope, as long as there is one', async () => {
      const base = { apiVersion: platform };
      const rules = [{ apiGroups: ['platform.dev'], resources: ['rolebindings'], verbs: ['create', 'get'] }];
      const role = { ...base, kind: 'Role', metadata: { name: 'binder' }, spec: { rules } };
      await api.post(`${platform}/roles`, role).expect(201);
      const { metadata } = (await api.post(`${v1}/farms`, resource('Farm', 'short')).expect(201)).body;
      const scope = { apiVersion: v1, kind: 'Farm', name: 'short', uid: metadata.uid };
      const spec = { roleRef: { name: 'binder' }, subjects: [user], scope };
      const path = `${platform}/rolebindings`;
      await api.post(path, { ...base, kind: 'RoleBinding', metadata: { name: 'binders' }, spec }).expect(201);
      expect((await allowedTo('create', path)).because).toMatchObject({ binding: 'binders' });
      const second = { ...base, kind: 'RoleBinding', metadata: { name: 'second' }, spec };
      await api.post(path, second, 'user').expect(201);
      await api.delete(`${v1}/farms/short`).expect(200);
      expect(await allowedTo('create', path)).toEqual({ allowed: false });
      await api.post(path, { ...second, metadata: { name: 'third' } }, 'user').expect(403);
      for (const name of ['binders', 'second']) await api.delete(`${path}/${name}`).expect(200);
    });

    it('knows a new binding at once, and forgets one that was deleted', async () => {
      const path = `${v1}/fields/dale`;
      const body = {
        apiVersion: platform,
        kind: 'RoleBinding',
        metadata: { name: 'everywhere' },
        spec: { roleRef: { name: 'field-editor' }, subjects: [user] },
      };
      for (let round = 0; round < 3; round += 1) {
        await api.post(`${platform}/rolebindings`, body).expect(201);
        expect((await allowedTo('list', path)).because).toMatchObject({ binding: 'everywhere', scope: null });
        await api.delete(`${platform}/rolebindings/everywhere`).expect(200);
        expect(await allowedTo('list', path)).toEqual({ allowed: false });
      }
    });
  });

  describe('GET /access/subjects', () => {
    const subjectsOf = (verb: string, path: string, as = 'operator') =>
      api.send(
        'GET',
        `/api/v1/access/subjects?verb=${verb}&path=${encodeURIComponent(`${below}/${path}`)}`,
        as,
      );

    it('lists who may, with the binding', async () => {
      const { body } = await subjectsOf('update', `${v1}/fields/hill/north`).expect(200);
      expect(body).toEqual({
        subjects: [
          { kind: 'Group', name: 'hands', binding: 'hill-editors' },
          { ...user, binding: 'hill-editors' },
        ],
      });
      const outside = await subjectsOf('update', `${v1}/fields/dale/north`).expect(200);
      expect(outside.body).toEqual({ subjects: [] });
    });

    it('is for operators', async () => {
      await subjectsOf('get', `${v1}/farms/hill`, 'user').expect(403);
    });

    it.each(['', '?verb=get', '?verb=read&path=x', '?verb=get&path=/api/v1/resources/a/b/c&more=1'])(
      'refuses the query %j',
      async (query) => {
        await api.send('GET', `/api/v1/access/subjects${query}`).expect(400);
      },
    );
  });
});
