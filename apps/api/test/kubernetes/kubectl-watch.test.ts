import { once } from 'node:events';
import { createSchemaValidator } from '@platform/schema-validation';
import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

describeWith('kubectl')('kubectl watches (skipped where it is not installed)', () => {
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
    await clients.kubectl('create', '-f', clients.file('crd.json', crd));
    await clients.kubectl('wait', '--for=condition=Established', 'crd/widgets.example.dev', '--timeout=10s');
    await clients.kubectl('create', '-f', clients.file('small.json', widget('small')));
  });

  it('shows what changes after a list', async () => {
    const watching = clients.start('kubectl', ['get', 'wd', '-w', '-o', 'name']);
    const lines: string[] = [];
    watching.stdout.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')));
    await once(watching.stdout, 'data');
    await clients.kubectl('create', '-f', clients.file('large.json', widget('large')));
    await clients.kubectl('patch', 'wd', 'small', '--type=merge', '-p', '{"spec":{"size":"large"}}');
    while (lines.length < 3) await once(watching.stdout, 'data');
    watching.kill();
    await once(watching, 'exit');
    expect(lines).toEqual(['small', 'large', 'small'].map((name) => `widget.example.dev/${name}`));
  });

  it('waits for a condition, and for a deletion', async () => {
    const waiting = clients.kubectl(
      'wait',
      '--for=jsonpath={.status.phase}=Ready',
      'wd/small',
      '--timeout=20s',
    );
    await clients.kubectl(
      'patch',
      'wd',
      'small',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"phase":"Ready"}}',
    );
    expect(await waiting).toContain('condition met');
    await clients.kubectl(
      'patch',
      'wd',
      'large',
      '--type=merge',
      '-p',
      '{"metadata":{"finalizers":["example.dev/hold"]}}',
    );
    const deleting = clients.kubectl('delete', 'wd', 'large', '--timeout=20s');
    await clients.kubectl(
      'wait',
      '--for=jsonpath={.metadata.deletionTimestamp}',
      'wd/large',
      '--timeout=20s',
    );
    await api.store.removeRow((await api.get('example.dev/v1/widgets/acme/large')).body.metadata.uid);
    expect(await deleting).toContain('deleted');
  });

  it('explains a kind, and validates what is sent', async () => {
    expect(await clients.kubectl('explain', 'widget.spec')).toMatch(/color\s+<string>/);
    const bad = clients.file('bad.json', widget('bad', { size: 'small', colour: 'red' }));
    expect((await clients.run('kubectl', ['create', '-f', bad])).stderr).toContain(
      'unknown field "spec.colour"',
    );
  });
});
