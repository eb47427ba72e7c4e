import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createSchemaValidator } from '@platform/schema-validation';
import { TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { describeWith, isKubectlSince, KubernetesClients, patience } from './kubernetes-clients.ts';
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
    await clients.kubectl('wait', '--for=condition=Established', 'crd/widgets.example.dev', patience);
    await clients.kubectl('create', '-f', clients.file('small.json', widget('small')));
  });

  it('describes an object, with its events', async () => {
    const described = await clients.kubectl('describe', 'wd', 'small');
    expect(described).toMatch(/^Name: +small\nNamespace: +acme\nLabels: +size=small\n/);
    expect(described).toMatch(/\nKind: +Widget\n/);
    expect(described).toMatch(/\nSpec:\n {2}Color: +red\n {2}Size: +small\n/);
    expect(described).toMatch(/\n {2}Normal +Created +/);
  });

  it('shows what changes after a list', async () => {
    const watching = clients.start('kubectl', ['get', 'wd', '-w', '-o', 'name']);
    const lines: string[] = [];
    createInterface(watching.stdout).on('line', (line) => lines.push(line));
    await once(watching.stdout, 'data');
    await clients.kubectl('create', '-f', clients.file('large.json', widget('large')));
    await clients.kubectl('patch', 'wd', 'small', '--type=merge', '-p', '{"spec":{"size":"large"}}');
    while (lines.length < 3) await once(watching.stdout, 'data');
    watching.kill();
    await once(watching, 'exit');
    expect(lines).toEqual(['small', 'large', 'small'].map((name) => `widget.example.dev/${name}`));
  });

  it('waits for a condition, and for a deletion', async () => {
    const waiting = clients.kubectl('wait', '--for=jsonpath={.status.phase}=Ready', 'wd/small', patience);
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
    const deleting = clients.kubectl('delete', 'wd', 'large', patience);
    await clients.kubectl('wait', '--for=jsonpath={.metadata.deletionTimestamp}', 'wd/large', patience);
    await api.store.removeRow((await api.get('example.dev/v1/widgets/acme/large')).body.metadata.uid);
    expect(await deleting).toContain('deleted');
  });

  const wait = (name: string, condition: string) =>
    clients.kubectl('wait', `--for=${condition}`, `wd/${name}`, patience);
  const patchStatus = (name: string, status: object) =>
    clients.kubectl(
      ...['patch', 'wd', name, '--subresource=status', '--type=merge', '-p'],
      JSON.stringify({ status }),
    );

  it('waits until somebody else has deleted an object', async () => {
    await clients.kubectl('create', '-f', clients.file('huge.json', widget('huge')));
    const waiting = wait('huge', 'delete');
    expect(await clients.kubectl('delete', 'wd', 'huge')).toContain('deleted');
    // kubectl prints nothing when the object was gone before the wait began.
    expect(await waiting).toMatch(/^$|condition met/);
    await wait('huge', 'delete');
  });

  it('waits for a condition of the status, true or false', async () => {
    const ready = wait('small', 'condition=Ready');
    const condition = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await patchStatus('small', { conditions: [condition] });
    expect(await ready).toContain('condition met');
    const lost = wait('small', 'condition=Ready=false');
    await patchStatus('small', { conditions: [{ ...condition, status: 'False' }] });
    expect(await lost).toContain('condition met');
    const never = await clients.run('kubectl', ['wait', '--for=condition=Done', 'wd/small', '--timeout=1s']);
    expect([never.code, never.stderr]).toEqual([1, expect.stringContaining('timed out waiting')]);
  });

  it('waits until an object is created, where kubectl can', async () => {
    if (!isKubectlSince(31)) return;
    const waiting = wait('huge', 'create');
    await clients.kubectl('create', '-f', clients.file('huge.json', widget('huge')));
    expect(await waiting).toContain('condition met');
  });

  it('explains a kind, and validates what is sent', async () => {
    expect(await clients.kubectl('explain', 'widget.spec')).toMatch(/color\s+<string>/);
    const bad = clients.file('bad.json', widget('bad', { size: 'small', colour: 'red' }));
    expect((await clients.run('kubectl', ['create', '-f', bad])).stderr).toContain(
      'unknown field "spec.colour"',
    );
  });
});
