import { useApi } from '../api.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';

describeWith('kubectl')('kubectl (skipped where it is not installed)', () => {
  const api = useApi();
  const clients = new KubernetesClients(api);

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await api.post('platform.dev/v1alpha1/organizations', organization('umbrella')).expect(201);
    await api.post('platform.dev/v1alpha1/resourcedefinitions', definition).expect(201);
    for (const name of ['large', 'small']) {
      await api.post('example.dev/v1/widgets/acme', widget(name)).expect(201);
    }
    await api.post('example.dev/v1/widgets/umbrella', widget('other')).expect(201);
  });

  it('lists what is served', async () => {
    const resources = await clients.kubectl('api-resources');
    expect(resources).toMatch(/^widgets +wd +example\.dev\/v1 +true +Widget$/m);
    expect(resources).toMatch(/^namespaces +ns +v1 +false +Namespace$/m);
    expect(resources).toMatch(/^organizations +platform\.dev\/v1alpha1 +false +Organization$/m);
    expect(await clients.kubectl('api-versions')).toContain('example.dev/v1\n');
  });

  it('gets objects as a table, as YAML, by name, by label and of all namespaces', async () => {
    expect(await clients.kubectl('get', 'widgets')).toMatch(/NAME +SIZE\nlarge +large\nsmall +small\n/);
    expect(await clients.kubectl('get', 'wd', 'small', '-o', 'yaml')).toContain('size: small');
    expect(await clients.kubectl('get', 'wd', '-l', 'size=small', '-o', 'name')).toBe(
      'widget.example.dev/small\n',
    );
    expect(await clients.kubectl('get', 'widget', '-A')).toMatch(/umbrella +other/);
    expect(await clients.kubectl('get', 'ns')).toMatch(/acme +Active +\d+/);
    expect(await clients.kubectl('get', 'wd', '--chunk-size=1', '-o', 'name')).toBe(
      'widget.example.dev/large\nwidget.example.dev/small\n',
    );
  });

  it('says what is not there and what is forbidden', async () => {
    const missing = await clients.run('kubectl', ['get', 'widget', 'none']);
    expect(missing.stderr).toBe('Error from server (NotFound): widgets.example.dev "none" not found\n');
    const refused = await clients.run('kubectl', ['get', 'widget', 'small'], { user: 'user' });
    expect(refused.stderr).toBe(
      'Error from server (Forbidden): widgets.example.dev "small" is forbidden: User "dev@example.dev" cannot get resource "widgets" in API group "example.dev" in the namespace "acme"\n',
    );
    expect((await clients.run('kubectl', ['get', 'wd', '-n', 'nowhere'])).stderr).toContain(
      'No resources found',
    );
  });
});

const organization = (name: string) => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'Organization',
  metadata: { name },
});

const widget = (name: string) => ({
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  metadata: { name, labels: { size: name } },
  spec: { size: name },
});

const definition = {
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'ResourceDefinition',
  metadata: { name: 'widgets.example.dev' },
  spec: {
    group: 'example.dev',
    kind: 'Widget',
    plural: 'widgets',
    shortNames: ['wd'],
    parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
      },
    ],
  },
};
