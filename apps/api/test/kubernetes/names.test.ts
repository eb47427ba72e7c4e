import type { AddressInfo } from 'node:net';
import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, useApi } from '../api.ts';
import { Watching } from '../watching.ts';
import { crd, organization, widget } from './objects.ts';

const platform = 'platform.dev/v1alpha1';
const namespaces = '/kubernetes/api/v1/namespaces';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const example = '/kubernetes/apis/example.dev/v1';

/** A native definition of a kind below another one of the group. */
const below = (kind: string, parent: { readonly apiVersion: string; readonly kind: string } | null) => ({
  apiVersion: platform,
  kind: 'ResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.example.dev` },
  spec: {
    group: 'example.dev',
    kind,
    plural: `${kind.toLowerCase()}s`,
    ...(parent === null ? {} : { parent }),
    versions: [{ name: 'v1', served: true, storage: true }],
  },
});

describe('the Kubernetes API of resources', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const send = (method: string, path: string, body?: object, as?: string) => {
    const sent = api.send(method, path, as).set('Content-Type', 'application/json');
    return body === undefined ? sent : sent.send(JSON.stringify(body));
  };
  const object = (kind: string, name: string): Json => ({
    apiVersion: 'example.dev/v1',
    kind,
    metadata: { name },
    spec: {},
  });
  const listed = async (path: string, query = '') =>
    (await send('GET', path + query).expect(200)).body.items.map(
      ({ metadata }: Json) => `${metadata.namespace ?? ''}/${metadata.name}`,
    );

  beforeAll(async () => {
    await api.post(`${platform}/organizations`, organization('acme')).expect(201);
    await send('POST', definitions, crd).expect(201);
    await api.post(`${platform}/resourcedefinitions`, below('Region', null)).expect(201);
    const site = below('Site', { apiVersion: platform, kind: 'Organization' });
    await api.post(`${platform}/resourcedefinitions`, site).expect(201);
    const room = below('Room', { apiVersion: 'example.dev/v1', kind: 'Site' });
    await api.post(`${platform}/resourcedefinitions`, room).expect(201);
  });

  it('shows the name of a namespace as its label, which selects it and is not stored', async () => {
    const label = 'kubernetes.io/metadata.name';
    const made = await send('POST', namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'labelled', labels: { [label]: 'other', tier: 'front' } },
    }).expect(201);
    const labels = { tier: 'front', [label]: 'labelled' };
    expect(made.body.metadata.labels).toEqual(labels);
    expect((await send('GET', `${namespaces}/acme`)).body.metadata.labels).toEqual({ [label]: 'acme' });
    const { resourceVersion } = (await send('GET', namespaces)).body.metadata;
    const same = await send('PUT', `${namespaces}/labelled`, made.body).expect(200);
    expect(same.body.metadata.labels).toEqual(labels);
    const merge = 'application/merge-patch+json';
    const removed = await api
      .send('PATCH', `${namespaces}/labelled`)
      .set('Content-Type', merge)
      .send({ metadata: { labels: { [label]: null } } })
      .expect(200);
    expect(removed.body.metadata.labels).toEqual(labels);
    expect(removed.body.metadata.resourceVersion).toBe(same.body.metadata.resourceVersion);
    const stored = (await api.get(`${platform}/organizations/labelled`).expect(200)).body;
    expect(stored.metadata.labels).toEqual({ tier: 'front' });
    const selected = async (selector: string) =>
      await listed(namespaces, `?labelSelector=${encodeURIComponent(selector)}`);
    expect(await selected(`${label}=acme`)).toEqual(['/acme']);
    expect(await selected(`${label} in (acme,labelled,none)`)).toEqual(['/acme', '/labelled']);
    expect(await selected(`${label} in (acme,labelled),tier=front`)).toEqual(['/labelled']);
    expect(await selected(`${label}!=acme,${label}`)).toEqual(['/labelled']);
    expect(await selected(`${label} notin (acme,labelled)`)).toEqual([]);
    expect(await selected(`!${label}`)).toEqual([]);
    expect(await selected(`${label}=acme,${label}=labelled`)).toEqual([]);
    expect(await selected('!tier')).toEqual(['/acme']);
    await send('GET', `${namespaces}?labelSelector=${encodeURIComponent(`${label} in (`)}`).expect(400);
    const { port } = api.server.address() as AddressInfo;
    const query = `watch=true&labelSelector=${encodeURIComponent(`${label} in (labelled,later)`)}`;
    const stream = await Watching.open(port, `${namespaces}?${query}&resourceVersion=${resourceVersion}`, {});
    await send('DELETE', `${namespaces}/labelled`).expect(200);
    await stream.until(({ events }) => events.some(({ type }) => type === 'DELETED'));
    for (const { object: shown } of stream.events) expect(shown.metadata.name).toBe('labelled');
    stream.response.destroy();
  });

  it('has cluster-scoped objects of kinds without a parent, registered here or there', async () => {
    const cluster = structuredClone(crd) as Json;
    cluster.metadata.name = 'zones.example.dev';
    cluster.spec.scope = 'Cluster';
    cluster.spec.names = { kind: 'Zone', plural: 'zones', singular: 'zone', listKind: 'ZoneList' };
    await send('POST', definitions, cluster).expect(201);
    for (const [kind, plural] of [
      ['Zone', 'zones'],
      ['Region', 'regions'],
    ] as const) {
      const made = await send('POST', `${example}/${plural}`, object(kind, 'north')).expect(201);
      expect(Object.keys(made.body.metadata)).not.toContain('namespace');
      await api.get(`example.dev/v1/${plural}/north`).expect(200);
      expect(await listed(`${example}/${plural}`)).toEqual(['/north']);
      await send('GET', `${example}/namespaces/acme/${plural}/north`).expect(404);
      await send('DELETE', `${example}/${plural}/north`).expect(200);
    }
  });

  it('has lists of the kind that the definition names', async () => {
    const herds = structuredClone(crd) as Json;
    herds.metadata.name = 'cows.example.dev';
    herds.spec.names = { kind: 'Cow', plural: 'cows', singular: 'cow', listKind: 'Herd' };
    await send('POST', definitions, herds).expect(201);
    const { body } = await send('GET', `${example}/cows`).expect(200);
    expect(body.kind).toBe('Herd');
    const { body: partial } = await send('GET', `${example}/cows`)
      .set('Accept', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io')
      .expect(200);
    expect(partial.kind).toBe('PartialObjectMetadataList');
  });

  it('has the names of all ancestors as namespace, and lists across them', async () => {
    await send('POST', `${example}/namespaces/acme/sites`, object('Site', 'web')).expect(201);
    const rooms = `${example}/namespaces/acme:web/rooms`;
    const { body } = await send('POST', rooms, object('Room', 'one')).expect(201);
    expect(body.metadata.namespace).toBe('acme:web');
    await api.get('example.dev/v1/rooms/acme/web/one').expect(200);
    expect(await listed(rooms)).toEqual(['acme:web/one']);
    expect(await listed(`${example}/rooms`)).toEqual(['acme:web/one']);
    expect(await listed(`${example}/rooms`, '?fieldSelector=metadata.namespace%3Dacme%3Aweb')).toEqual([
      'acme:web/one',
    ]);
    expect(await listed(`${example}/namespaces/acme/rooms`)).toEqual([]);
    const elsewhere = '?fieldSelector=metadata.namespace%21%3Dacme%3Aweb';
    expect(await listed(`${example}/rooms`, elsewhere)).toEqual([]);
    expect(await listed(`${example}/sites`, elsewhere)).toEqual(['acme/web']);
    expect(await listed(rooms, elsewhere)).toEqual([]);
    await send('GET', `${namespaces}/acme:web`).expect(404);
    await send('DELETE', `${rooms}/one`).expect(200);
  });

  it('has a watch of every namespace but one', async () => {
    const { port } = api.server.address() as AddressInfo;
    await api.post(`${platform}/organizations`, organization('loud')).expect(201);
    const elsewhere = 'watch=true&fieldSelector=metadata.namespace%21%3Dloud';
    const watch = await Watching.open(port, `${example}/sites?${elsewhere}`);
    const inLoud = await Watching.open(
      port,
      `${example}/namespaces/loud/sites?${elsewhere}&timeoutSeconds=1`,
    );
    await send('POST', `${example}/namespaces/loud/sites`, object('Site', 'hidden')).expect(201);
    await send('POST', `${example}/namespaces/acme/sites`, object('Site', 'shown')).expect(201);
    const seen = ({ events }: Watching) => events.map((event) => event.object.metadata.name);
    await watch.until(() => seen(watch).includes('shown'));
    expect(seen(watch)).not.toContain('hidden');
    await inLoud.until(({ isOver }) => isOver);
    expect(seen(inLoud)).toEqual([]);
    watch.response.destroy();
  });

  it('has Secrets that are selected by their type, and Namespaces by their phase', async () => {
    const secrets = '/kubernetes/api/v1/namespaces/acme/secrets';
    for (const [name, type] of [
      ['plain', undefined],
      ['special', 'example.dev/special'],
    ])
      await send('POST', secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type }).expect(201);
    expect(await listed(secrets, '?fieldSelector=type%3Dexample.dev/special')).toEqual(['acme/special']);
    expect(await listed(secrets, '?fieldSelector=type%3DOpaque')).toEqual(['acme/plain']);
    expect(await listed(secrets, '?fieldSelector=type%21%3DOpaque,metadata.name%3Dplain')).toEqual([]);
    await send('POST', namespaces, { metadata: { name: 'going', finalizers: ['x/y'] } }).expect(201);
    await send('DELETE', `${namespaces}/going`).expect(200);
    expect(await listed(namespaces, '?fieldSelector=status.phase%3DTerminating')).toEqual(['/going']);
    expect(await listed(namespaces, '?fieldSelector=status.phase%3DActive')).not.toContain('/going');
    await send('GET', `${example}/widgets?fieldSelector=type%3DOpaque`).expect(400);
    const cipher = below('Secret', null);
    cipher.metadata.name = 'ciphers.example.dev';
    cipher.spec.plural = 'ciphers';
    await api.post(`${platform}/resourcedefinitions`, cipher).expect(201);
    await send('GET', `${example}/ciphers?fieldSelector=type%3DOpaque`).expect(400);
  });

  it('has a Namespace for each Organization, also in a watch', async () => {
    const { port } = api.server.address() as AddressInfo;
    const { metadata } = (await send('GET', namespaces)).body;
    const watch = await Watching.open(
      port,
      `${namespaces}?watch=true&resourceVersion=${metadata.resourceVersion}`,
    );
    const labelled = { metadata: { name: 'tools', labels: { team: 'a' } } };
    const made = await send('POST', namespaces, { apiVersion: 'v1', kind: 'Namespace', ...labelled });
    expect([made.status, made.body.status]).toEqual([201, { phase: 'Active' }]);
    await api.get(`${platform}/organizations/tools`).expect(200);
    expect(await listed(namespaces, '?labelSelector=team%3Da')).toEqual(['/tools']);
    await api.post(`${platform}/organizations`, organization('native')).expect(201);
    expect((await send('GET', `${namespaces}/native`).expect(200)).body.kind).toBe('Namespace');
    await send('DELETE', `${namespaces}/tools`).expect(200);
    await api.get(`${platform}/organizations/tools`).expect(404);
    await watch.until(({ events }) => events.length === 3);
    expect(
      watch.events.map(
        ({
          type,
          object: {
            kind,
            metadata: { name },
          },
        }) => [type, kind, name],
      ),
    ).toEqual([
      ['ADDED', 'Namespace', 'tools'],
      ['ADDED', 'Namespace', 'native'],
      ['DELETED', 'Namespace', 'tools'],
    ]);
    watch.response.destroy();
  });

  it('shows a native definition as a CustomResourceDefinition, and deletes it as one', async () => {
    await api
      .post(`${platform}/resourcedefinitions`, below('Desk', { apiVersion: platform, kind: 'Organization' }))
      .expect(201);
    const { body } = await send('GET', `${definitions}/desks.example.dev`).expect(200);
    expect(body).toMatchObject({
      kind: 'CustomResourceDefinition',
      spec: { group: 'example.dev', scope: 'Namespaced', names: { kind: 'Desk', plural: 'desks' } },
    });
    await send('DELETE', `${definitions}/desks.example.dev`).expect(200);
    await api.get(`${platform}/resourcedefinitions/desks.example.dev`).expect(404);
  });

  it('makes a name from generateName', async () => {
    const widgets = `${example}/namespaces/acme/widgets`;
    const body = { ...widget('x', { size: 'small' }), metadata: { generateName: 'any-' } };
    const [one, two] = [await send('POST', widgets, body), await send('POST', widgets, body)];
    for (const { status, body: made } of [one, two]) {
      expect([status, made.metadata.generateName]).toEqual([201, 'any-']);
      expect(made.metadata.name).toMatch(/^any-[0-9a-z]{5}$/);
    }
    expect(one.body.metadata.name).not.toBe(two.body.metadata.name);
    const refused = await send('POST', widgets, { ...body, metadata: {} }).expect(422);
    expect(refused.body.details.causes[0].field).toBe('metadata.name');
    await send('DELETE', widgets).expect(200);
  });

  it('makes another name when one is taken, and none that is longer than a label', async () => {
    const widgets = `${example}/namespaces/acme/widgets`;
    const body = { ...widget('x', { size: 'small' }), metadata: { generateName: 'any-' } };
    // Each attempt makes a name, and a discriminator for the row.
    api.discriminators = ['made-aaaaa'];
    const one = await send('POST', widgets, body).expect(201);
    api.discriminators = ['made-aaaaa', 'row-0001', 'made-bbbbb'];
    const two = await send('POST', widgets, body).expect(201);
    expect([one, two].map((made) => made.body.metadata.name)).toEqual(['any-aaaaa', 'any-bbbbb']);
    api.discriminators = Array.from({ length: 8 }, (_, at) => ['made-bbbbb', `row-001${at}`]).flat();
    const { body: taken } = await send('POST', widgets, body).expect(409);
    expect(taken).toMatchObject({ reason: 'AlreadyExists', details: { name: 'any-bbbbb' } });
    expect(api.discriminators).toEqual([]);
    const generateName = `${'long'.repeat(20)}-`;
    const long = await send('POST', widgets, { ...body, metadata: { generateName } }).expect(201);
    expect(long.body.metadata).toMatchObject({ generateName });
    expect(long.body.metadata.name).toHaveLength(63);
    await send('DELETE', widgets).expect(200);
  });

  it('has the slot of its own as status, and those of other writers below it', async () => {
    const widgets = `${example}/namespaces/acme/widgets`;
    const { body: made } = await send('POST', widgets, widget('two', { size: 'small' })).expect(201);
    const status = { ready: true };
    await send('PUT', `${widgets}/two/status`, { ...made, status, spec: { size: 'huge' } }).expect(200);
    await api
      .put('example.dev/v1/widgets/acme/two/status', { status: { phase: 'Known' } }, 'operator')
      .expect(200);
    const { body } = await send('GET', `${widgets}/two`).expect(200);
    expect(body.spec.size).toBe('small');
    const { controllers, ...own } = body.status;
    expect(own).toEqual(status);
    expect(Object.values(controllers)).toEqual([{ phase: 'Known' }]);
    // Clients write back what they have read.
    const again = { ...body, status: { ...body.status, ready: false } };
    const { body: written } = await send('PUT', `${widgets}/two/status`, again).expect(200);
    expect(written.status).toEqual({ ready: false, controllers });
    expect(written.metadata.generation).toBe(made.metadata.generation);
  });
});
