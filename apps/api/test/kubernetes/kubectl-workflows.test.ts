import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSchemaValidator } from '@platform/schema-validation';
import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

describeWith('kubectl')('work with kubectl (skipped where it is not installed)', () => {
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
  const kubectl = (...parameters: string[]) => clients.kubectl(...parameters);

  beforeAll(async () => {
    for (const name of ['acme', 'umbrella']) {
      await api.post('platform.dev/v1alpha1/organizations', organization(name)).expect(201);
    }
    await kubectl('apply', '-f', clients.file('crd.json', crd));
  });

  it('shows differences, applies dry runs and prunes', async () => {
    const both = clients.file('both.json', widget('small'), widget('large'));
    expect(await kubectl('apply', '-f', both, '--dry-run=server')).toContain('created (server dry run)');
    expect((await clients.run('kubectl', ['diff', '-f', both])).code).toBe(1);
    await kubectl('apply', '-f', both);
    expect((await clients.run('kubectl', ['diff', '-f', both])).code).toBe(0);
    const one = clients.file('one.json', widget('small'));
    const pruned = await kubectl(
      'apply',
      '-f',
      one,
      '--prune',
      '--all',
      '--prune-allowlist=example.dev/v1/Widget',
    );
    expect(pruned).toContain('widget.example.dev/large pruned');
  });

  it('prunes by the set that an apply belongs to, without a list of kinds', async () => {
    const apply = async (file: string) => {
      const set = ['-n', 'acme', '--prune', '--applyset=configmaps/whole'];
      return await clients.output('env', ['KUBECTL_APPLYSET=true', 'kubectl', 'apply', '-f', file, ...set]);
    };
    const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    await apply(clients.file('set.json', widget('large'), map('one'), map('two')));
    const pruned = await apply(clients.file('part.json', map('two')));
    expect(pruned).toContain('widget.example.dev/large pruned');
    expect(pruned).toContain('configmap/one pruned');
    expect(await kubectl('get', 'configmaps', '-o', 'name')).toBe('configmap/two\nconfigmap/whole\n');
  });

  it('says why it cannot prune the kinds of a cluster', async () => {
    const one = clients.file('one.json', widget('small'));
    const { code, stderr } = await clients.run('kubectl', ['apply', '-f', one, '--prune', '--all']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no matches for kind/)]);
  });

  it('applies a kustomization, edits, and replaces by force', async () => {
    const directory = join(clients.directory, 'kustomize');
    mkdirSync(directory);
    writeFileSync(join(directory, 'widget.json'), JSON.stringify(widget('huge')));
    writeFileSync(join(directory, 'kustomization.yaml'), 'resources: [widget.json]\nnamePrefix: my-\n');
    expect(await kubectl('apply', '-k', directory)).toContain('my-huge created');
    await clients.output('env', ['KUBE_EDITOR=sed -i s/red/green/', 'kubectl', 'edit', 'wd', 'my-huge']);
    expect(await kubectl('get', 'wd', 'my-huge', '-o', 'jsonpath={.spec.color}')).toBe('green');
    expect(await kubectl('replace', '--force', '-f', clients.file('force.json', widget('small')))).toContain(
      'replaced',
    );
  });

  it('lists and watches all namespaces, sorts, and deletes by label and all', async () => {
    await kubectl('create', '-n', 'umbrella', '-f', clients.file('other.json', widget('large')));
    const watching = clients.start('kubectl', ['get', 'wd', '-A', '-w', '--no-headers']);
    let seen = '';
    watching.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    while (!/umbrella +large/.test(seen)) await once(watching.stdout, 'data');
    await kubectl('create', '-n', 'umbrella', '-f', clients.file('new.json', widget('small')));
    while (!/umbrella +small/.test(seen)) await once(watching.stdout, 'data');
    watching.kill();
    await once(watching, 'exit');
    expect(
      await kubectl('get', 'wd', '-A', '--sort-by=.metadata.name', '-o', 'custom-columns=N:.metadata.name'),
    ).toBe('N\nlarge\nmy-huge\nsmall\nsmall\n');
    expect(await kubectl('delete', 'wd', '-l', 'size=large', '-n', 'umbrella')).toContain('deleted');
    expect(await kubectl('delete', 'wd', '--all', '-A')).toContain('deleted');
    expect(await kubectl('delete', 'crd', 'widgets.example.dev')).toContain('deleted');
  });
});
