import {
  CustomObjectsApi,
  type Informer,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';
import { until } from '@platform/development/testing';
import { createSchemaValidator } from '@platform/schema-validation';
import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { KubernetesClients } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

const place = { group: 'example.dev', version: 'v1', namespace: 'acme', plural: 'widgets' };
const path = '/apis/example.dev/v1/namespaces/acme/widgets';
type List = KubernetesListObject<KubernetesObject>;

describe('informers of client-node', () => {
  let opener: StoreOpener = memoryStore;
  const schemas = createSchemaValidator();
  const api = new TestApi({ schemas, store: (clock) => opener(clock) });
  afterAll(async () => {
    await api.stop();
    await schemas.close();
  });
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  const clients = new KubernetesClients(api);
  const config = new KubeConfig();
  let objects: CustomObjectsApi;
  const running: Informer<KubernetesObject>[] = [];

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    config.loadFromFile(clients.kubeconfig());
    objects = config.makeApiClient(CustomObjectsApi);
    await api
      .send('POST', '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
      .send(crd)
      .expect(201);
  });
  afterEach(async () => {
    for (const informer of running.splice(0)) await informer.stop();
  });

  const list = () => objects.listNamespacedCustomObject(place) as Promise<List>;

  /** An informer that writes down what it is told, and starts again after a failure, as its documentation says. */
  async function start(listObjects: () => Promise<List> = list) {
    const told: string[] = [];
    let connections = 0;
    const informer = makeInformer(config, path, listObjects);
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) =>
        told.push(`${verb} ${metadata?.name} ${metadata?.resourceVersion}`),
      );
    }
    informer.on('connect', () => {
      connections += 1;
    });
    informer.on('error', () => void setTimeout(() => running.includes(informer) && informer.start(), 20));
    running.push(informer);
    await informer.start();
    return { informer, told, connections: () => connections };
  }

  async function create(name: string): Promise<string> {
    const made = await objects.createNamespacedCustomObject({
      ...place,
      body: widget(name, { size: 'small' }),
    });
    return `add ${name} ${made.metadata.resourceVersion}`;
  }

  async function change(name: string, part: string): Promise<string> {
    const body = [{ op: 'add', path: '/spec/parts', value: [part] }];
    const changed = await objects.patchNamespacedCustomObject({ ...place, name, body });
    return `update ${name} ${changed.metadata.resourceVersion}`;
  }

  const remove = (name: string) => objects.deleteNamespacedCustomObject({ ...place, name });

  it('miss nothing and hear nothing twice when their connections are cut', async () => {
    const written = [await create('cut')];
    const { told, connections } = await start();
    for (let turn = 0; turn < 20; turn += 1) {
      if (turn % 4 === 0) clients.cut();
      written.push(await again(() => change('cut', `part-${turn}`)));
    }
    await until(() => told.length >= written.length);
    expect(told).toEqual(written);
    expect(connections()).toBeGreaterThan(1);
  });

  it('miss nothing and hear nothing twice when the service restarts', async () => {
    const { told } = await start();
    await until(() => told.length === 1);
    const written = [told[0], await create('restarted')];
    await until(() => told.length === 2);
    clients.cut();
    await api.stop();
    await api.start();
    written.push(await again(() => change('restarted', 'a')), await change('cut', 'b'));
    await until(() => told.length === 4);
    await remove('restarted');
    await until(() => told.length === 5);
    expect(told.slice(0, 4)).toEqual(written);
    expect(told[4]).toMatch(/^delete restarted \d+$/);
  });

  it('list again after 410, and hear what was deleted in between', async () => {
    const gone = (await create('gone')).split(' ')[2];
    let lists = 0;
    // The first list has a version that the log of changes never had: that of an object of another installation.
    const { told, informer } = await start(async () => {
      lists += 1;
      const answer = await list();
      if (lists > 1) return answer;
      return { ...answer, metadata: { resourceVersion: foreignVersion } };
    });
    await until(() => lists >= 2);
    await remove('gone');
    await until(() => told.some((line) => line.startsWith('delete gone')));
    expect(told.filter((line) => line === `add gone ${gone}`)).toHaveLength(1);
    expect(informer.list('acme').map(({ metadata }) => metadata?.name)).toEqual(['cut']);
  });
});

/** In the form of a version, of an object that does not exist. */
const foreignVersion = `1${BigInt('0x10000000000007000800000000000ffff0000000000000002')}`;

/** A connection that was cut may have been that of a request. A change that is sent again is the same. */
async function again<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      if (attempt === 10 || (error as { code?: unknown }).code === 409) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
