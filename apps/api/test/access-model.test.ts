import fc from 'fast-check';
import { type Json, onEveryStore, type TestApi } from './api.ts';
import { group, register, resource, v1 } from './kinds.ts';

/** A role with the place and the subject that it is bound in. */
interface Bound {
  readonly rule: {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  };
  readonly subject: { readonly kind: string; readonly name: string };
  /** The names on the way to the scope, root first; [] for everything. */
  readonly scope: readonly string[];
}

/** A request with everything that decides about it. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly verb: string;
  readonly resource: string;
  /** The names on the way to the item or the collection, root first; `-` for every name. */
  readonly names: readonly string[];
  /** The name that rules with `resourceNames` are compared with; null for a collection. */
  readonly name: string | null;
  readonly body?: (path: string) => unknown;
}

const callers = [
  { kind: 'User', name: 'dev@example.dev' },
  { kind: 'Group', name: 'devs' },
];
const binding: fc.Arbitrary<Bound> = fc.record({
  rule: fc.record(
    {
      apiGroups: fc.subarray([group, '*', 'other.dev'], { minLength: 1 }),
      resources: fc.subarray(['*', 'farms', 'fields', 'fields/status', 'fields/*', '*/status'], {
        minLength: 1,
        maxLength: 2,
      }),
      resourceNames: fc.subarray(['hill', 'north'], { minLength: 1 }),
      verbs: fc.subarray(['get', 'list', 'create', 'update', 'patch', 'delete', '*'], {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
  ),
  subject: fc.constantFrom(...callers, { kind: 'User', name: 'other@example.dev' }),
  scope: fc.constantFrom([], ['hill'], ['dale'], ['hill', 'north']),
});

/** The rules of docs/access-control.md, on names instead of rows. */
function isGranted({ rule, subject, scope }: Bound, { verb, resource: of, names, name }: Asked): boolean {
  const [plural, part] = of.split('/');
  const coversResource = rule.resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === of ||
      (part !== undefined && [`${plural}/*`, `*/${part}`].includes(pattern)),
  );
  const coversName = rule.resourceNames === undefined || (name !== null && rule.resourceNames.includes(name));
  const isInScope = scope.every((each, at) => names[at] === each);
  const showsPart = verb === 'list' && (names.length === 0 || names[0] === '-');
  return (
    callers.includes(subject) &&
    (rule.verbs.includes('*') || rule.verbs.includes(verb)) &&
    (rule.apiGroups.includes('*') || rule.apiGroups.includes(group)) &&
    coversResource &&
    coversName &&
    (isInScope || showsPart)
  );
}

const item = (kind: string, names: readonly string[]) => ({
  ...resource(kind, names.at(-1) as string),
});

const requests: readonly Asked[] = [
  ...[['hill'], ['dale'], ['nowhere']].map((names) => get('farms', names)),
  ...[
    ['hill', 'north'],
    ['hill', 'south'],
    ['dale', 'north'],
    ['nowhere', 'north'],
  ].map((names) => get('fields', names)),
  list('farms', []),
  ...['hill', 'dale', 'nowhere', '-'].map((name) => list('fields', [name])),
  change('DELETE', 'delete', 'fields', ['hill', 'north']),
  change('DELETE', 'delete', 'farms', ['dale']),
  change('PUT', 'update', 'fields', ['hill', 'north'], () => item('Field', ['north'])),
  change('PUT', 'update', 'fields/status', ['hill', 'north'], () => ({ status: { ok: true } })),
  { ...change('POST', 'create', 'fields', ['hill'], () => item('Field', ['fresh'])), name: null },
  { ...change('POST', 'create', 'farms', [], () => item('Farm', ['fresh'])), name: null },
];

function get(plural: string, names: readonly string[]): Asked {
  const path = [`${v1}/${plural}`, ...names].join('/');
  return { method: 'GET', path, verb: 'get', resource: plural, names, name: names.at(-1) ?? null };
}

function list(plural: string, names: readonly string[]): Asked {
  const path = [`${v1}/${plural}`, ...names].join('/');
  return { method: 'GET', path, verb: 'list', resource: plural, names, name: null };
}

function change(
  method: string,
  verb: string,
  of: string,
  names: readonly string[],
  body?: () => unknown,
): Asked {
  const [plural, part] = of.split('/');
  const path = [`${v1}/${plural}`, ...names, ...(part === undefined ? [] : [part])].join('/');
  const name = names.at(-1) ?? null;
  return { method, path, verb, resource: of, names, name, ...(body === undefined ? {} : { body }) };
}

onEveryStore((api) => {
  const scopes = new Map<string, Json>();

  beforeAll(async () => {
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    const create = async (path: string, kind: string, names: readonly string[]) => {
      const { body } = await api.post(path, item(kind, names)).expect(201);
      const { apiVersion, metadata } = body as Json;
      scopes.set(names.join('/'), { apiVersion, kind, name: metadata.name, uid: metadata.uid });
    };
    await create(`${v1}/farms`, 'Farm', ['hill']);
    await create(`${v1}/farms`, 'Farm', ['dale']);
    await create(`${v1}/fields/hill`, 'Field', ['hill', 'north']);
  });

  it('grants exactly what roles and bindings say, at every endpoint and in checks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(binding, { maxLength: 3 }), async (bound) => {
        await replaceBindings(api, bound, scopes);
        const expected = requests.map((asked) => bound.some((one) => isGranted(one, asked)));
        expect(await answered(api)).toEqual(expected);
        expect(await checked(api)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

/** Writes the bindings, each with a role of its own, in place of those of the run before. */
async function replaceBindings(
  api: TestApi,
  bound: readonly Bound[],
  scopes: ReadonlyMap<string, Json>,
): Promise<void> {
  const platform = 'platform.dev/v1alpha1';
  for (const plural of ['rolebindings', 'roles']) {
    const { body } = await api.get(`${platform}/${plural}`).expect(200);
    for (const { metadata } of body.items)
      await api.delete(`${platform}/${plural}/${metadata.name}`).expect(200);
  }
  for (const [at, { rule, subject, scope }] of bound.entries()) {
    const metadata = { name: `r${at}` };
    const role = { apiVersion: platform, kind: 'Role', metadata, spec: { rules: [rule] } };
    await api.post(`${platform}/roles`, role).expect(201);
    const place = scopes.get(scope.join('/'));
    const spec = { roleRef: metadata, subjects: [subject], ...(place === undefined ? {} : { scope: place }) };
    await api
      .post(`${platform}/rolebindings`, { apiVersion: platform, kind: 'RoleBinding', metadata, spec })
      .expect(201);
  }
}

/** Whether each request is answered with anything but the uniform 403. Writes are dry runs. */
async function answered(api: TestApi): Promise<readonly boolean[]> {
  const granted: boolean[] = [];
  for (const { method, path, body } of requests) {
    const query = method === 'GET' ? '' : '?dryRun=true';
    const request = api.send(method, `/api/v1/resources/${path}${query}`, 'user');
    const { status } =
      body === undefined
        ? await request
        : await request.type('application/json').send(JSON.stringify(body(path)));
    granted.push(status !== 403);
  }
  return granted;
}

async function checked(api: TestApi): Promise<readonly boolean[]> {
  const checks = requests.map(({ verb, path }) => ({ verb, path: `/api/v1/resources/${path}` }));
  const { body } = await api
    .send('POST', '/api/v1/access/check', 'user')
    .type('application/json')
    .send(JSON.stringify({ checks }))
    .expect(200);
  return body.results.map(({ allowed }: Json) => allowed);
}
