import type { Json } from '../api.ts';
import { describeWith, useKubernetes } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';

/** The Widget of these tests can be scaled, too. */
const scalable = () => {
  const [version] = crd.spec.versions;
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
  };
  const { openAPIV3Schema } = version?.schema ?? {};
  const { spec, status } = openAPIV3Schema?.properties ?? {};
  const properties = {
    spec: { ...spec, properties: { ...spec?.properties, count: { type: 'integer' } } },
    status,
  };
  const schema = { openAPIV3Schema: { ...openAPIV3Schema, properties } };
  return { ...crd, spec: { ...crd.spec, versions: [{ ...version, subresources, schema }] } };
};

describe('a dry run', () => {
  const { api, clients, send } = useKubernetes();
  const stored = async (): Promise<Json> => (await send('GET', `${widgets}/one`).expect(200)).body;

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definitions, scalable()).expect(201);
    await send('POST', widgets, widget('one', { size: 'small', count: 1 })).expect(201);
  });

  it.each<[string, (object: Json) => [method: string, path: string, body: object, type?: string]]>([
    ['replaces', (object) => ['PUT', '', { ...object, spec: { size: 'large' } }]],
    ['patches', () => ['PATCH', '', { spec: { size: 'large' } }, merge]],
    ['applies', () => ['PATCH', '', widget('one', { size: 'large' }), apply]],
    ['writes the status', () => ['PATCH', '/status', { status: { a: 1 } }, merge]],
    ['scales', () => ['PATCH', '/scale', { spec: { replicas: 2 } }, merge]],
  ])('that %s has the version of the stored object, as in Kubernetes', async (_name, request) => {
    const before = await stored();
    const [method, part, body, type] = request(before);
    const path = `${widgets}/one${part}?dryRun=All&fieldManager=a&${type === apply ? 'force=true' : ''}`;
    const { body: tried } = await send(method, path, body, type).expect(200);
    expect(tried.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(tried).not.toEqual(before);
    expect(await stored()).toEqual(before);
  });

  it('that marks an object as deleted has the version of the stored object, as in Kubernetes', async () => {
    const held = {
      ...widget('held', { size: 'small' }),
      metadata: { name: 'held', finalizers: ['a.example/b'] },
    };
    const { body: created } = await send('POST', widgets, held).expect(201);
    const { body: tried } = await send('DELETE', `${widgets}/held?dryRun=All`).expect(200);
    expect(tried.metadata.deletionTimestamp).toBeDefined();
    expect(tried.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    const { body: marked } = await send('DELETE', `${widgets}/held`).expect(200);
    expect(marked.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
  });

  describeWith('kubectl')('with kubectl (skipped where it is not installed)', () => {
    it('shows as a difference what the configuration changes, and nothing else', async () => {
      const diff = (file: string) => clients.run('kubectl', ['diff', '--server-side', '-f', file]);
      const same = await diff(clients.file('same.json', widget('one', { size: 'small', count: 1 })));
      expect([same.code, same.stdout]).toEqual([0, '']);
      const bigger = clients.file('bigger.json', widget('one', { size: 'small', count: 2 }));
      const force = await clients.run('kubectl', [
        'diff',
        '--server-side',
        '--force-conflicts',
        '-f',
        bigger,
      ]);
      const changed = force.stdout.split('\n').filter((line) => /^[-+] /.test(line));
      expect(changed.map((line) => line.replace(/\s+/g, ' '))).toEqual([
        '- generation: 1',
        '+ generation: 2',
        '- count: 1',
        '+ count: 2',
      ]);
    });
  });
});
