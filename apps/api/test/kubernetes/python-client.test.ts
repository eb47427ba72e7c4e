import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSchemaValidator } from '@platform/schema-validation';
import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { KubernetesClients } from './kubernetes-clients.ts';
import { crd, organization } from './objects.ts';

const script = fileURLToPath(new URL('./python-client.py', import.meta.url));
const python = '/usr/bin/python3';
const isInstalled = spawnSync(python, ['-c', 'import kubernetes']).status === 0;
const describeWithClient = isInstalled ? describe : describe.skip;

describeWithClient('the client for Python (skipped without the package python3-kubernetes)', () => {
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

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await api
      .send('POST', '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
      .send(crd)
      .expect(201);
  });

  it('lists, watches and writes custom and built-in kinds', async () => {
    const lines = (await clients.output(python, [script])).trim().split('\n');
    expect(lines).toEqual([
      'ADDED two small None',
      'MODIFIED one large None',
      "MODIFIED two small {'ready': True}",
      'DELETED one large None',
      'SECRET Yg==',
      'NAMESPACES acme',
    ]);
  });
});
