import request from '../openapi/documented-request.ts';
import { type DocumentedOperation, operations, pathOf } from '../openapi/operations.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const resources = '/api/v1/resources/';

/** `/a/:b` and `/a/{c}` are the same place. */
const place = (path: string) => path.replace(/:[^/]+|\{[^}]+\}/g, '*');

/** Every path that is mounted, but those of the generic API, which reads them itself. */
function mountedPaths(): readonly string[] {
  const stack = api.app.router.stack as readonly { readonly route?: { readonly path: string } }[];
  return stack.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
}

/** The methods of a path, by asking it with one that nobody has. */
async function methodsAt(path: string): Promise<readonly string[]> {
  const nobodys = path.startsWith(resources) ? 'options' : 'patch';
  const { status, headers } = await request(api.publicUrl)
    [nobodys](path)
    .set('Authorization', `Bearer ${api.session('operator')}`);
  expect(`${path} ${status}`).toBe(`${path} 405`);
  return String(headers['allow']).split(', ').sort();
}

const kind = (plural: string, name: string, parent: object | null) => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'ResourceDefinition',
  metadata: { name: `${plural}.farm.example.dev` },
  spec: {
    group: 'farm.example.dev',
    kind: name,
    plural,
    parent,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { $ref: '#/$defs/s', $defs: { s: {} }, examples: [{ doors: 2 }] },
      },
    ],
  },
});
const below = (parent: string) => ({ apiVersion: 'farm.example.dev/v1', kind: parent });

beforeAll(async () => {
  const definitions = [
    kind('tractors', 'Tractor', null),
    kind('farms', 'Farm', null),
    kind('barns', 'Barn', below('Farm')),
    kind('stalls', 'Stall', below('Barn')),
    kind('boxes', 'Box', below('Stall')),
  ];
  for (const body of definitions) {
    const path = `${resources}platform.dev/v1alpha1/resourcedefinitions`;
    await api.as('operator', 'post', path).send(body).expect(201);
  }
});

describe('the document and the service', () => {
  it('have the same endpoints', async () => {
    const documented = operations.filter(({ path }) => !`${path}/`.startsWith(resources));
    const expected = documented.map(({ method, path }) => `${method} ${place(path)}`).sort();
    const mounted: string[] = [];
    for (const path of mountedPaths()) {
      const filled = path.replace(/:[^/]+/g, 'x');
      for (const method of await methodsAt(filled)) mounted.push(`${method} ${place(path)}`);
    }
    expect(mounted.sort()).toEqual(expected);
    expect(mounted.length).toBeGreaterThan(50);
  });

  it('have the same methods at every form of path of the generic API', async () => {
    const paths = [...new Set(operations.map(({ path }) => path))].filter((path) =>
      `${path}/`.startsWith(resources),
    );
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const here = operations.filter((operation) => operation.path === path);
      const documented = [...new Set(here.map(({ method }) => method))].sort();
      const served = new Set<string>();
      for (const plural of pluralsFor(path)) {
        for (const method of await methodsAt(pathOf(here[0] as DocumentedOperation, { plural }))) {
          served.add(method);
        }
      }
      expect(`${path} ${[...served].sort()}`).toBe(`${path} ${documented}`);
    }
  });

  it('ask for credentials at the same endpoints', async () => {
    for (const operation of operations) {
      const { method, security, path } = operation;
      const asks = security.some((one) => Object.keys(one).some((scheme) => scheme !== 'client'));
      // Whether the extension exists comes first there.
      if (JSON.stringify(security).includes('upstream')) continue;
      const { status } = await request(api.publicUrl)[verb(method)](pathOf(operation)).redirects(0);
      expect(`${method} ${path} ${status === 401}`).toBe(`${method} ${path} ${asks}`);
    }
  });
});

/** Kinds with as many ancestors that the path is an item or a collection of theirs. */
function pluralsFor(path: string): readonly string[] {
  if (!path.includes('{plural}') || path.includes('uid:')) return ['tractors'];
  const count = [...path.matchAll(/\{name\d\}/g)].length;
  const byDepth = ['tractors', 'barns', 'stalls', 'boxes'];
  const isSubresource =
    /\/(?:status|finalizers|deletion-blockers|explain|deletion-plan|history|\{revision\})$/.test(path);
  const item = byDepth[count - 1];
  const collection = isSubresource ? undefined : byDepth[count];
  return [item, collection].filter((plural) => plural !== undefined);
}

function verb(method: string) {
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'delete' | 'options';
}

describe('GET /openapi.json', () => {
  const read = (query = '') => request(api.publicUrl).get(`/openapi.json${query}`);

  it('is public, cacheable and the same until it changes', async () => {
    const { body, headers } = await read().expect(200);
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(body.servers[0].url).toBe(api.publicUrl);
    expect(headers['cache-control']).toBe('public, max-age=300');
    await read().set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('shows the registered kinds to nobody who is not asked for', async () => {
    const { text } = await read().expect(200);
    expect(text).not.toContain('tractors.{');
    expect(text).not.toContain('farm.example.dev/v1/tractors');
  });

  it('shows the registered kinds with their schemas to operators alone', async () => {
    await read('?kinds=all').expect(401);
    await api.as('admin', 'get', '/openapi.json?kinds=all').expect(403);
    const { body, headers } = await api.as('operator', 'get', '/openapi.json?kinds=all').expect(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    const path = `${resources}farm.example.dev/v1/stalls/{farm}/{barn}/{stall}`;
    expect(Object.keys(body.paths[path])).toEqual(['parameters', 'get', 'delete', 'put', 'patch']);
    expect(body.components.schemas['farm.example.dev.v1.Stall.Spec']).toEqual({
      $ref: '#/components/schemas/farm.example.dev.v1.Stall.Spec/$defs/s',
      $defs: { s: {} },
      examples: [{ doors: 2 }],
    });
    const { examples } =
      body.paths[`${resources}farm.example.dev/v1/tractors`].post.requestBody.content['application/json'];
    expect(examples.author.value.spec).toEqual({ doors: 2 });
    await api
      .as('operator', 'post', `${resources}farm.example.dev/v1/tractors`)
      .send(examples.author.value)
      .expect(201);
  });

  it.each(['?kinds=', '?kinds=some', '?kinds=all&kinds=all'])('refuses %s', async (query) => {
    const { body } = await read(query).expect(400);
    expect(body.code).toBe('invalid_query');
  });
});

describe('GET /docs', () => {
  it('is a page that loads nothing from elsewhere and may not', async () => {
    const { text, headers } = await request(api.publicUrl).get('/docs').expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).not.toMatch(/https?:\/\//);
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => String(path));
    expect(files).toHaveLength(5);
    for (const file of files) {
      const { headers: own } = await request(api.publicUrl).get(file).expect(200);
      await request(api.publicUrl).get(file).set('If-None-Match', String(own['etag'])).expect(304);
    }
  });

  it.each(['x.js', '..%2f..%2fpackage.json', 'constructor', 'package.json'])(
    'has no file %s',
    async (name) => {
      const { body } = await request(api.publicUrl).get(`/docs/${name}`).expect(404);
      expect(body.code).toBe('not_found');
    },
  );
});
