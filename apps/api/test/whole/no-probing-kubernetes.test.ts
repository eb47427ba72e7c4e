import { answerTo, api, bound, create, type Pair, platform, root, type Sent } from './hidden-farm.ts';

/** An object outside of what is granted, and one that does not exist: namespace and name, with names of the same length. */
interface Hidden {
  /** Null for kinds without a namespace. */
  readonly namespace: Pair | null;
  readonly name: Pair;
}

const inDale: Pair = ['dale', 'none'];
const inHidden: Pair = ['hidden', 'absent'];

/** Every resource in the discovery of the service; one that is missing here fails the test. */
const hidden: Readonly<Record<string, Hidden>> = {
  farms: { namespace: null, name: inDale },
  fields: { namespace: inDale, name: ['south', 'never'] },
  rows: { namespace: ['dale:south', 'none:never'], name: ['first', 'empty'] },
  namespaces: { namespace: null, name: inHidden },
  organizations: { namespace: null, name: inHidden },
  resourcedefinitions: { namespace: null, name: ['farms.farm.example', 'films.farm.example'] },
  customresourcedefinitions: { namespace: null, name: ['farms.farm.example', 'films.farm.example'] },
  roles: { namespace: null, name: ['viewer', 'reader'] },
  rolebindings: { namespace: null, name: ['dale-readers', 'dale-writers'] },
  subscriptions: { namespace: null, name: ['hook', 'none'] },
  secrets: { namespace: inHidden, name: ['password', 'passport'] },
  configmaps: { namespace: inHidden, name: ['settings', 'stirrups'] },
  leases: { namespace: inHidden, name: ['leader', 'nobody'] },
  events: { namespace: inHidden, name: ['settings.1', 'stirrups.1'] },
};

/** Kinds that answer about the caller, and hold no objects. */
const reviews = /^self(?:subject|pod)/;

interface Discovered {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly subresources: readonly string[];
}

/** Every resource that the service offers. */
async function discovered(): Promise<readonly Discovered[]> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const found: Discovered[] = [];
  for (const at of ['api', 'apis']) {
    const { body } = await api.as('operator', 'get', `/kubernetes/${at}`).set('Accept', accept).expect(200);
    for (const { metadata = {}, versions } of body.items)
      for (const { version, resources } of versions)
        for (const { resource, responseKind, subresources = [] } of resources)
          found.push({
            group: metadata.name ?? '',
            version,
            plural: resource,
            kind: responseKind.kind,
            subresources: subresources.map((one: { subresource: string }) => one.subresource),
          });
  }
  return found.filter(({ plural }) => !reviews.test(plural));
}

/** The paths of a resource with the first or the second of its names. */
function pathsOf({ group, version, plural, subresources }: Discovered, place: string | null, name: string) {
  const start = group === '' ? `/kubernetes/api/${version}` : `/kubernetes/apis/${group}/${version}`;
  const collection = `${start}/${place === null ? '' : `namespaces/${place}/`}${plural}`;
  const item = `${collection}/${name}`;
  // The list of a collection without a namespace shows what may be seen.
  return [
    ...(place === null ? [] : [collection]),
    item,
    ...[...new Set(['status', 'scale', ...subresources])].map((part) => `${item}/${part}`),
  ];
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const queries = [
  ...[
    'watch=true&timeoutSeconds=1',
    'watch=true&resourceVersion=1&timeoutSeconds=1',
    'limit=1',
    'continue=x',
    'labelSelector=a%3Db',
  ],
  ...[
    'fieldSelector=metadata.name%3Dx',
    'fieldSelector=metadata.namespace%3Delsewhere',
    'dryRun=x',
    'nonsense=1',
  ],
];
const patches = [
  ...['merge-patch+json', 'json-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'],
];
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function requestsFor({ group, version, kind }: Discovered, name: string): readonly Sent[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = JSON.stringify({ apiVersion, kind, metadata: { name }, spec: {} });
  return [
    ...methods.map((method) => ({ method })),
    ...queries.map((query) => ({ method: 'GET', query })),
    ...[table, 'application/vnd.kubernetes.protobuf'].map((Accept) => ({
      method: 'GET',
      headers: { Accept },
    })),
    ...['POST', 'PUT', 'DELETE'].flatMap((method) => [
      { method, body: object },
      { method, body: '{' },
      { method, body: object, query: 'dryRun=All' },
    ]),
    ...patches.map((type) => ({
      method: 'PATCH',
      query: 'fieldManager=m',
      headers: { 'Content-Type': `application/${type}` },
      body: type === 'json-patch+json' ? '[]' : object,
    })),
  ];
}

/** Every request for an object, and for the collection that it is in. */
function requestsOf(
  one: Discovered,
  place: string | null,
  name: string,
): readonly (readonly [string, Sent])[] {
  return pathsOf(one, place, name).flatMap((path) =>
    requestsFor(one, name).map((sent) => [path, sent] as const),
  );
}

beforeAll(async () => {
  const below = `${root}/${platform}`;
  const object = (kind: string, name: string, more: object) => ({
    apiVersion: platform,
    kind,
    metadata: { name },
    ...more,
  });
  await create('operator', `${below}/secrets/hidden`, object('Secret', 'password', { spec: { data: {} } }));
  await create(
    'operator',
    `${below}/configmaps/hidden`,
    object('ConfigMap', 'settings', { spec: { data: {} } }),
  );
  await create('operator', `${below}/leases/hidden`, object('Lease', 'leader', { spec: {} }));
});

/** The answer without the names that the request itself has: refusals repeat them. */
async function answer(token: string, path: string, sent: Sent, names: readonly string[]): Promise<string> {
  const text = await answerTo(token, path, sent);
  const same = text.replaceAll(/(resourceVersion\\?":\\?")\d+/g, '$1');
  return names.reduce((rest, name) => rest.replaceAll(name, 'NAME'), same);
}

/** As many requests at once as a small machine answers in time. */
async function fewAtOnce<T>(all: readonly T[], work: (one: T, at: number) => Promise<void>): Promise<void> {
  const size = 16;
  for (let at = 0; at < all.length; at += size)
    await Promise.all(all.slice(at, at + size).map((one, index) => work(one, at + index)));
}

it('every resource of the discovery is in the table, and what the table says exists does', async () => {
  const token = api.session('operator');
  for (const one of await discovered()) {
    const place = hidden[one.plural];
    if (place === undefined) throw new Error(`say in the table what exists of ${one.plural}`);
    const existing = pathsOf(one, place.namespace?.[0] ?? null, place.name[0]).find((path) =>
      path.endsWith(place.name[0]),
    );
    if (one.plural === 'events') continue;
    const [status] = JSON.parse(await answerTo(token, existing as string, { method: 'GET' }));
    expect([existing, status]).toEqual([existing, 200]);
  }
});

// Attack: somebody asks the Kubernetes API for names of others, in every way there is, and compares the answers.
it.each([
  ['a user without bindings', 'none', () => api.session('stranger')],
  ['a user with every verb in another scope', 'another', () => api.session(bound)],
])(
  '%s cannot tell what exists',
  async (_who, scope, session) => {
    const token = session();
    const different: string[] = [];
    for (const one of await discovered()) {
      const { namespace, name } = hidden[one.plural] as Hidden;
      const places = (at: 0 | 1) => (namespace === null ? null : namespace[at]);
      const existing = requestsOf(one, places(0), name[0]);
      const missing = [
        requestsOf(one, places(0), name[1]),
        ...(namespace === null ? [] : [requestsOf(one, places(1), name[0])]),
      ];
      const names = [...(namespace ?? []), ...name];
      await fewAtOnce(existing, async ([path, sent], at) => {
        const there = await answer(token, path, sent, names);
        for (const all of missing) {
          const nowhere = await answer(token, ...(all[at] as [string, Sent]), names);
          if (there !== nowhere) different.push(`${JSON.stringify(sent)} ${path}: ${there} | ${nowhere}`);
        }
        const [status] = JSON.parse(there);
        // 404 and 405 are those of paths that no kind has, 406 that of media types that no answer has. In a scope, lists of events and
        // streams of objects by name are let in, and show nothing.
        if (scope === 'none' && ![403, 404, 405, 406].includes(status))
          different.push(`${JSON.stringify(sent)} ${path}: ${there}`);
      });
    }
    expect(different).toEqual([]);
  },
  240_000,
);
