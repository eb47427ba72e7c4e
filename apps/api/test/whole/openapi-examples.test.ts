import request, { type Response } from '../openapi/documented-request.ts';
import { type DocumentedOperation, operations, pathOf } from '../openapi/operations.ts';
import { people, WholeApi } from './whole-api.ts';

/** Values that an example cannot contain because each run has its own: path parameters, placeholders `<...>`, and members of the body. */
interface Known {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly placeholders?: Readonly<Record<string, string>>;
  readonly revision?: number;
  readonly credential?: string | null;
}

const api = new WholeApi(() => ({
  auth: { operator_users: [people.operator], admin_users: [people.operator] },
}));
const sent = new Set<string>();
const resources = '/api/v1/resources/farm.example.dev/v1';

function operation(id: string): DocumentedOperation {
  const found = operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Sends every example of the operation; each answer is a documented one and has the status that is expected. */
async function send(id: string, status: number, known: Known = {}): Promise<Response> {
  const one = operation(id);
  let last: Response | undefined;
  for (const { type, name, value } of one.examples) {
    last = await sendOne(one, type, filled(value, known), known);
    expect(`${id} ${name} ${last.status} ${last.status === status ? '' : last.text}`).toBe(
      `${id} ${name} ${status} `,
    );
  }
  sent.add(id);
  if (last === undefined) throw new Error(`${id} has no examples`);
  return last;
}

function sendOne(one: DocumentedOperation, type: string, body: unknown, known: Known): Promise<Response> {
  const path = pathOf(one, known.parameters);
  const verb = { POST: 'post', PATCH: 'patch' } as const;
  const test = request(api.publicUrl)[verb[one.method as keyof typeof verb] ?? 'put'](path).type(type);
  const credential = known.credential === undefined ? api.session('operator') : known.credential;
  if (credential !== null) test.set('Authorization', `Bearer ${credential}`);
  return test.send(type.endsWith('json') ? JSON.stringify(body) : (body as object)) as never;
}

function filled(value: unknown, { placeholders = {}, revision }: Known): unknown {
  const text = JSON.stringify(value).replace(/<(\w+)>/g, (all, name: string) => placeholders[name] ?? all);
  const body = JSON.parse(text);
  return revision === undefined ? body : { ...body, metadata: { ...body.metadata, revision } };
}

describe('the examples of the document, as one story', () => {
  it('make an organization and the definitions of four kinds', async () => {
    await send('create_platform_dev_v1alpha1_organizations', 201);
    await send('replace_platform_dev_v1alpha1_organizations', 200);
    await send('runBatch', 200);
    await send('create_platform_dev_v1alpha1_resourcedefinitions', 201);
    await send('replace_platform_dev_v1alpha1_resourcedefinitions', 200);
    for (const plural of ['roles', 'rolebindings', 'subscriptions']) {
      await send(`create_platform_dev_v1alpha1_${plural}`, 201);
      await send(`replace_platform_dev_v1alpha1_${plural}`, 200);
    }
  });

  it('make and change resources at every depth', async () => {
    const farm = { apiVersion: 'farm.example.dev/v1', kind: 'Farm', metadata: { name: 'red' } };
    await api.as('operator', 'post', `${resources}/farms`).send(farm).expect(201);
    const { body } = await send('createResource', 201, { parameters: { plural: 'tractors' } });
    for (const [depth, plural] of ['barns', 'stalls', 'boxes'].entries()) {
      await send(`createResource${depth + 1}`, 201, { parameters: { plural } });
    }
    const byUid = { parameters: { plural: 'tractors', uuid: String(body.metadata.uid) } };
    const places: [string, { readonly parameters: Readonly<Record<string, string>> }][] = [
      ['1', { parameters: { plural: 'tractors' } }],
      ['2', { parameters: { plural: 'barns' } }],
      ['3', { parameters: { plural: 'stalls' } }],
    ];
    for (const [suffix, place] of places) await send(`replaceResource${suffix}`, 200, place);
    await send('replaceResourceByUid', 200, { ...byUid, revision: 2 });
    for (const [suffix, place] of [...places, ['ByUid', byUid] as const]) {
      await send(`putStatus${suffix}`, 200, place);
      await send(`putFinalizers${suffix}`, 200, place);
      await send(`patchResource${suffix}`, 200, place);
      await send(`patchStatus${suffix}`, 200, place);
    }
    for (const plural of ['organizations', 'resourcedefinitions', 'roles', 'rolebindings', 'subscriptions']) {
      await send(`status_platform_dev_v1alpha1_${plural}`, 200);
      await send(`finalizers_platform_dev_v1alpha1_${plural}`, 200);
      await send(`patch_platform_dev_v1alpha1_${plural}`, 200);
      await send(`patch_status_platform_dev_v1alpha1_${plural}`, 200);
    }
    await answersGets(byUid.parameters.uuid);
  });

  it('restore a removed resource', async () => {
    const gone = { apiVersion: 'farm.example.dev/v1', kind: 'Farm', metadata: { name: 'gone' } };
    const { body } = await api.as('operator', 'post', `${resources}/farms`).send(gone).expect(201);
    await api.as('operator', 'delete', `${resources}/farms/gone`).expect(200);
    await send('restoreResource', 201, { parameters: { plural: 'farms', uuid: String(body.metadata.uid) } });
  });

  it('make a team, a project and what is below it', async () => {
    for (const name of ['Team', 'Project', 'Environment', 'ServiceAccount']) {
      await send(`create${name}`, 201);
      await send(`replace${name}`, 200);
    }
    const { body: deployment } = await send('createDeployment', 201);
    await send('replaceDeployment', 200, { parameters: { deployment: deployment.name } });
    await send('rotateCredential', 200, { parameters: { deployment: deployment.name } });
    const { body: sealed } = await send('encrypt', 200);
    await send('createExtension', 201, { placeholders: { encrypted: sealed.encrypted } });
    await send('replaceExtension', 200);
    await send('mintWorkloadToken', 200, { credential: deployment.bootstrap_credential });
  });

  it('ask what is allowed', async () => {
    await send('checkAccess', 200);
  });

  it('ask about sessions and end them', async () => {
    await send('introspectToken', 200);
    await send('revokeSession', 200);
    await send('backChannelLogout', 400, { credential: null });
  });

  // Real ones come out of logins, which the suites of login and proxy walk through; a made-up one is refused as documented.
  it('are refused where they hold a secret that nobody has', async () => {
    await send('exchangeToken', 400, { credential: null });
    await send('exchangeCode', 400, { credential: null });
    // No identity provider is configured here.
    await send('authorizeDevice', 503, { credential: null });
    const one = operation('proxyToken');
    const answers = await Promise.all(
      one.examples.map(({ type, value }) => sendOne(one, type, value, { credential: null })),
    );
    expect(answers.map(({ body }) => body.error)).toEqual([
      'invalid_grant',
      'invalid_client',
      'invalid_client',
    ]);
    sent.add(one.id);
    await send('proxyRevoke', 401, { credential: null });
  });

  it('are all of them', () => {
    const shown = operations.filter(({ examples }) => examples.length > 0).map(({ id }) => id);
    expect([...sent].sort()).toEqual(shown.sort());
  });
});

/** The answers of the GETs of the generic API to the parameters that the document shows. */
async function answersGets(uuid: string): Promise<void> {
  const gets = operations.filter(({ method, path }) => method === 'GET' && path.includes('/resources/'));
  expect(gets.length).toBeGreaterThan(10);
  for (const get of gets) {
    const names = [...get.path.matchAll(/\{name\d\}/g)].length;
    const plural = ['tractors', 'tractors', 'barns', 'stalls'][names] ?? '';
    const path = pathOf(get, { plural, uuid });
    // Where a path is an item of one kind and a collection of another, only the collection has query parameters.
    const isItem = names > 0 && /\{name\d\}$/.test(get.path);
    const { status } = await api.as('operator', 'get', isItem ? String(path.split('?', 1)[0]) : path);
    expect(`${get.path} ${status}`).toBe(`${get.path} 200`);
    if (!isItem) continue;
    const below = ['tractors', 'barns', 'stalls', 'boxes'][names] ?? '';
    const list = await api.as('operator', 'get', pathOf(get, { plural: below, uuid }));
    expect(`${get.path} ${list.status} ${list.body.items?.length}`).toBe(`${get.path} 200 1`);
  }
}
