import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

describeWith('kubectl')('kubectl (skipped where it is not installed)', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const clients = new KubernetesClients(api);
  const kubectl = (...parameters: string[]) => clients.kubectl(...parameters);
  const refused = async (...parameters: string[]) => (await clients.run('kubectl', parameters)).stderr;

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await kubectl('apply', '-f', clients.file('crd.json', crd));
  });

  it('registers a kind with a CustomResourceDefinition', async () => {
    expect(await kubectl('get', 'crd')).toMatch(/widgets\.example\.dev +\d{4}-/);
    const stored = (await api.get('platform.dev/v1alpha1/resourcedefinitions/widgets.example.dev')).body;
    expect(stored.spec).toMatchObject({ kind: 'Widget', parent: { kind: 'Organization' } });
  });

  it('creates, applies, patches, labels, annotates and deletes', async () => {
    const file = clients.file('small.json', widget('small'));
    expect(await kubectl('create', '-f', file)).toContain('widget.example.dev/small created');
    expect(await refused('create', '-f', file)).toContain('AlreadyExists');
    expect(await kubectl('get', 'wd', 'small', '-o', 'jsonpath={.spec.color}')).toBe('red');
    expect(await kubectl('apply', '-f', file)).toContain('configured');
    expect(await kubectl('apply', '-f', file)).toContain('unchanged');
    await kubectl('patch', 'wd', 'small', '--type=merge', '-p', '{"spec":{"size":"large"}}');
    await kubectl(
      'patch',
      'wd',
      'small',
      '--type=json',
      '-p',
      '[{"op":"add","path":"/spec/parts","value":["a"]}]',
    );
    expect(await refused('patch', 'wd', 'small', '--type=strategic', '-p', '{}')).toMatch(
      /unknown format|415|Unsupported/,
    );
    expect(await refused('patch', 'wd', 'small', '--type=merge', '-p', '{"spec":{"size":"tiny"}}')).toMatch(
      /The Widget "small" is invalid: \S*spec\.size: Unsupported value/,
    );
    await kubectl('label', 'wd', 'small', 'tier=front');
    await kubectl('annotate', 'wd', 'small', 'note=here');
    const object = JSON.parse(await kubectl('get', 'wd', 'small', '-o', 'json'));
    expect(object.spec).toEqual({ size: 'large', color: 'red', parts: ['a'] });
    expect(object.metadata).toMatchObject({
      labels: { tier: 'front' },
      annotations: { note: 'here' },
      namespace: 'acme',
    });
    expect(Object.keys(object.metadata)).not.toContain('revision');
    expect(await kubectl('delete', 'wd', 'small')).toContain('widget.example.dev "small" deleted');
    expect(await refused('get', 'wd', 'small')).toContain('NotFound');
  });

  it('applies on the server, with conflicts', async () => {
    const file = clients.file('huge.json', widget('huge'));
    const apply = ['apply', '--server-side', '-f', file];
    expect(await kubectl(...apply)).toContain('serverside-applied');
    await kubectl(
      'patch',
      'wd',
      'huge',
      '--type=merge',
      '-p',
      '{"spec":{"size":"small"}}',
      '--field-manager=other',
    );
    expect(await refused(...apply)).toContain('Apply failed with 1 conflict: conflict with "other"');
    await kubectl(...apply, '--force-conflicts');
    expect(await kubectl('get', 'wd', 'huge', '-o', 'jsonpath={.spec.size}')).toBe('huge');
  });

  it('replaces what was read, and refuses what is out of date', async () => {
    await kubectl('create', '-f', clients.file('large.json', widget('large')));
    const object = JSON.parse(await kubectl('get', 'wd', 'large', '-o', 'json'));
    object.spec.color = 'blue';
    const file = clients.file('read.json', object);
    expect(await kubectl('replace', '-f', file, '--dry-run=server')).toContain('replaced (server dry run)');
    expect(await kubectl('get', 'wd', 'large', '-o', 'jsonpath={.spec.color}')).toBe('red');
    expect(await kubectl('replace', '-f', file)).toContain('replaced');
    expect(await refused('replace', '-f', file)).toContain('the object has been modified');
  });

  it('writes the status of its own slot', async () => {
    await kubectl(
      'patch',
      'wd',
      'large',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"ready":true}}',
    );
    expect(await kubectl('get', 'wd', 'large', '-o', 'jsonpath={.status}')).toBe('{"ready":true}');
    const stored = (await api.get('example.dev/v1/widgets/acme/large')).body;
    expect(stored.status.controllers).toEqual({ kubernetes: { ready: true } });
  });

  it('refuses unknown fields strictly, and Orphan always', async () => {
    const file = clients.file('bad.json', widget('bad', { size: 'small', colour: 'red' }));
    expect(await refused('create', '-f', file)).toContain('unknown field "spec.colour"');
    expect(await refused('delete', 'wd', 'large', '--cascade=orphan')).toContain('Orphan is not supported');
  });

  it('applies secrets: changes and removes values, and stores none in its annotation', async () => {
    const secret = (data: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'applied' },
      data,
    });
    const apply = (data: object, ...more: string[]) =>
      kubectl('apply', '-f', clients.file('secret.json', secret(data)), ...more);
    const shown = (path: string) => kubectl('get', 'secret', 'applied', '-o', `jsonpath={${path}}`);
    expect(await apply({ a: 'YQ==', b: 'Yg==' })).toContain('created');
    expect(await apply({ a: 'YQ==', b: 'Yg==' })).toContain('unchanged');
    await kubectl('patch', 'secret', 'applied', '-p', '{"data":{"other":"b28="}}');
    await apply({ a: 'YWE=', c: 'Yw==' });
    expect(JSON.parse(await shown('.data'))).toEqual({ a: 'YWE=', c: 'Yw==', other: 'b28=' });
    const { body } = await api.get(`platform.dev/v1alpha1/secrets/acme/applied`).expect(200);
    expect(JSON.stringify(body.metadata.annotations)).not.toMatch(/YWE=|Yw==|YQ==|Yg==/);
    await apply({ a: 'YQ==' }, '--server-side');
    expect(JSON.parse(await shown('.data'))).toEqual({ a: 'YQ==', other: 'b28=' });
  });

  it('refuses a Secret without the keys of its type', async () => {
    const type = '--type=kubernetes.io/tls';
    const message = await refused('create', 'secret', 'generic', 'half', type, '--from-literal=tls.crt=a');
    expect(message).toContain('Secret "half" is invalid: data[tls.key]: Required value');
  });

  it('keeps namespaces, secrets, config maps', async () => {
    await kubectl('create', 'namespace', 'tools');
    expect(await kubectl('get', 'ns', 'tools')).toContain('Active');
    await kubectl('create', 'secret', 'generic', 'login', '--from-literal=password=s3cret');
    expect(await kubectl('get', 'secret', 'login', '-o', 'jsonpath={.data.password}')).toBe('czNjcmV0');
    await kubectl('create', 'configmap', 'settings', '--from-literal=a=b');
    await kubectl('patch', 'configmap', 'settings', '-p', '{"data":{"c":"d"}}');
    expect(await kubectl('get', 'cm', 'settings', '-o', 'jsonpath={.data}')).toBe('{"a":"b","c":"d"}');
    expect(await kubectl('delete', 'ns', 'tools')).toContain('deleted');
  });
});
