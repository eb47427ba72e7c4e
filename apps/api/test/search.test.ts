import { type Json, onEveryStore } from './api.ts';
import { given, group, register, registerTree, resource, v1 } from './kinds.ts';

const builtIn = 'platform.dev/v1alpha1';

onEveryStore((api) => {
  const search = (parameters: Record<string, string>, as = 'operator') =>
    api.send('GET', `/api/v1/search?${new URLSearchParams(parameters)}`, as);
  const namesOf = ({ body }: { body: Json }): string[] =>
    body.items.map(({ kind, metadata }: Json) => [kind, ...metadata.ancestors, metadata.name].join(' '));
  const found = async (parameters: Record<string, string>, as?: string) =>
    namesOf(await search(parameters, as).expect(200));

  beforeAll(async () => {
    await registerTree(api, { allowedStatusControllerIds: ['ctrl.example.dev'] });
    await register(api, 'Barn');
    await given(api, 'Farm', ['shop'], { metadata: { labels: { app: 'x' } } });
    await given(api, 'Field', ['shop', 'shop-field']);
    await given(api, 'Farm', ['work-shop']);
    await given(api, 'Field', ['work-shop', 'a.shop'], { metadata: { labels: { app: 'x' } } });
    await given(api, 'Barn', ['barn']);
    await api.post(`${builtIn}/organizations`, {
      apiVersion: builtIn,
      kind: 'Organization',
      metadata: { name: 'shopping' },
      spec: { displayName: 'Shopping' },
    });
  });

  it('finds whole names, then prefixes, then the rest, of every kind', async () => {
    expect(await found({ q: 'shop' })).toEqual([
      'Farm shop',
      'Field shop shop-field',
      'Organization shopping',
      'Field work-shop a.shop',
      'Farm work-shop',
    ]);
    expect(await found({ q: 'shop', limit: '2' })).toEqual(['Farm shop', 'Field shop shop-field']);
    expect(await found({ q: 'nothing' })).toEqual([]);
    expect(await found({ q: 'Any text at all' })).toEqual([]);
  });

  it('takes capital letters for small ones, as names have no others', async () => {
    expect(await found({ q: 'Shop' })).toEqual(await found({ q: 'shop' }));
  });

  it('answers with whole resources, and nothing else', async () => {
    const { body } = await search({ q: 'shop', limit: '1' }).expect(200);
    const stored = (await api.get(`${v1}/farms/shop`)).body;
    expect(body).toEqual({ items: [stored] });
  });

  it('finds a resource by its uid, in any case', async () => {
    const { uid } = (await api.get(`${v1}/barns/barn`)).body.metadata;
    expect(await found({ q: uid })).toEqual(['Barn barn']);
    expect(await found({ q: uid.toUpperCase() })).toEqual(['Barn barn']);
    expect(await found({ q: uid, kind: 'Farm' })).toEqual([]);
    expect(await found({ q: uid.slice(0, -1) })).toEqual([]);
  });

  it('is narrowed by labels and by kind', async () => {
    expect(await found({ q: 'shop', labelSelector: 'app=x' })).toEqual([
      'Farm shop',
      'Field work-shop a.shop',
    ]);
    expect(await found({ q: 'shop', kind: 'Field' })).toEqual([
      'Field shop shop-field',
      'Field work-shop a.shop',
    ]);
    expect(await found({ q: 'shop', kind: `Field.${group}` })).toHaveLength(2);
    expect(await found({ q: 'shop', kind: 'Field.other.dev' })).toEqual([]);
  });

  it.each([
    '',
    'q=',
    'q=a&q=b',
    `q=${'a'.repeat(254)}`,
    'q=a&limit=0',
    'q=a&limit=1001',
    'q=a&limit=x',
    'q=a&kind=farm',
    'q=a&kind=Farm.',
    'q=a&kind=',
    'q=a&labelSelector=a%3D%3D%3Db',
    'q=a&more=b',
  ])('refuses ?%s', async (query) => {
    const { body } = await api.send('GET', `/api/v1/search?${query}`).expect(400);
    expect(body.code).toBe('invalid_query');
  });

  it('refuses callers without access, and other methods', async () => {
    await search({ q: 'shop' }, 'nobody').expect(401);
    const { body } = await search({ q: 'shop' }, 'user').expect(403);
    expect(body).toMatchObject({ code: 'forbidden', detail: 'The caller has no access to this API.' });
    await api.send('POST', '/api/v1/search').expect(405);
  });

  it('shows what the caller may list, in the scope of each binding', async () => {
    const shop = (await api.get(`${v1}/farms/shop`)).body;
    const create = (plural: string, kind: string, name: string, spec: object) =>
      api
        .post(`${builtIn}/${plural}`, { ...resource(kind, name, { spec }), apiVersion: builtIn })
        .expect(201);
    const role = (name: string, resources: string[], verbs: string[]) =>
      create('roles', 'Role', name, { rules: [{ apiGroups: [group], resources, verbs }] });
    const bind = (name: string, scope?: Json) =>
      create('rolebindings', 'RoleBinding', name, {
        roleRef: { name },
        subjects: [{ kind: 'User', name: 'dev@example.dev' }],
        ...(scope === undefined ? {} : { scope }),
      });
    await role('everything-below', ['*'], ['list']);
    await role('getter', ['barns'], ['get']);
    await role('lister', ['barns'], ['list', 'get']);
    const { apiVersion, kind, metadata } = shop;
    await bind('everything-below', { apiVersion, kind, name: metadata.name, uid: metadata.uid });
    await bind('getter');
    expect(await found({ q: 'shop' }, 'user')).toEqual(['Farm shop', 'Field shop shop-field']);
    expect(await found({ q: 'barn' }, 'user')).toEqual([]);
    const barn = (await api.get(`${v1}/barns/barn`)).body.metadata.uid;
    expect(await found({ q: barn }, 'user')).toEqual([]);
    await bind('lister');
    expect(await found({ q: 'barn' }, 'user')).toEqual(['Barn barn']);
    expect(await found({ q: barn }, 'user')).toEqual(['Barn barn']);
  });

  it('shows a controller nothing unless it may read', async () => {
    expect(await found({ q: 'shop' }, 'controller')).toEqual([]);
  });
});
