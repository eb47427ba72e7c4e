import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { describeWith, KubernetesClients, patience } from './kubernetes-clients.ts';

const schemas = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
afterAll(() => schemas.close());

describeWith('kubectl')('kubectl with definitions (skipped where it is not installed)', () => {
  const api = useApi({ schemas });
  const clients = new KubernetesClients(api);
  const apply = (...objects: readonly object[]) => {
    const file = clients.file(`${Math.random()}.yaml`, ...objects);
    return clients.run('kubectl', ['apply', '-f', file]);
  };

  beforeAll(async () => {
    await api
      .post('platform.dev/v1alpha1/organizations', {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Organization',
        metadata: { name: 'acme' },
      })
      .expect(201);
  });

  it('registers a kind, waits for it, and explains it', async () => {
    expect(await apply(definition)).toMatchObject({
      code: 0,
      stdout: 'customresourcedefinition.apiextensions.k8s.io/engines.example.dev created\n',
      stderr: '',
    });
    const wait = ['--for=condition=Established', 'crd/engines.example.dev', patience];
    expect(await clients.kubectl('wait', ...wait)).toContain('condition met');
    const explained = await clients.kubectl('explain', 'engines.spec.cylinders');
    expect(explained).toContain('VERSION:    v1');
    expect(explained).toMatch(/FIELD: cylinders <integer>\n[\s\S]*How many it has/);
    expect(await clients.kubectl('explain', 'engines', '--recursive')).toContain('fuel\t<string>');
    expect(await clients.kubectl('explain', 'crd.spec.scope')).toContain('Namespaced');
    expect(await clients.kubectl('explain', 'ns.metadata.labels')).toContain('selected by');
  });

  it('shows what was applied, so that another apply changes nothing', async () => {
    const shown = JSON.parse(await clients.kubectl('get', 'crd', 'engines.example.dev', '-o', 'json'));
    expect(shown.spec).toEqual({
      ...definition.spec,
      names: { ...definition.spec.names, singular: 'engine', listKind: 'EngineList' },
      conversion: { strategy: 'None' },
    });
    expect((await apply(definition)).stdout).toContain('unchanged');
  });

  it('applies defaults, and enforces schema and rules', async () => {
    const engine = (name: string, spec: object) => ({
      apiVersion: 'example.dev/v1',
      kind: 'Engine',
      metadata: { name, namespace: 'acme' },
      spec,
    });
    expect(await apply(engine('one', { cylinders: 4 }))).toMatchObject({ code: 0, stderr: '' });
    const fuel = ['get', 'engine', 'one', '-n', 'acme', '-o', 'jsonpath={.spec.fuel}'];
    expect(await clients.kubectl(...fuel)).toBe('petrol');
    const refused = await apply(engine('two', { cylinders: 3, fuel: 'wood' }));
    expect(refused.stderr).toContain('spec.fuel');
    const odd = await apply(engine('two', { cylinders: 3 }));
    expect(odd.stderr).toContain('must be even');
    const typo = await apply(engine('two', { cylinders: 2, cylindres: 3 }));
    expect(typo.stderr).toContain('unknown field "spec.cylindres"');
  });

  it('enforces the schema of the status, and its rules', async () => {
    const write = (status: object) => {
      const patch = ['--type=merge', '--subresource=status', '-p', JSON.stringify({ status })];
      return clients.run('kubectl', ['patch', 'engine', 'one', '-n', 'acme', ...patch]);
    };
    expect(await write({ phase: 'Running', hours: 5 })).toMatchObject({ code: 0, stderr: '' });
    expect((await write({ phase: 'Broken' })).stderr).toContain('status.phase');
    expect((await write({ hours: 4 })).stderr).toContain('must not decrease');
  });

  it('refuses what cannot be stored or enforced, and names it', async () => {
    const bad = structuredClone(definition);
    const [version] = bad.spec.versions;
    Object.assign(version?.schema.openAPIV3Schema.properties ?? {}, { data: { type: 'object' } });
    bad.metadata.name = 'parts.example.dev';
    bad.spec.names = { plural: 'parts', kind: 'Part', shortNames: [] };
    const { stderr } = await apply(bad);
    expect(stderr).toContain('is invalid');
    expect(stderr).toContain('spec.versions[0].schema.openAPIV3Schema.properties.data');
  });

  it('goes over to server-side apply, whose managers need not say the spec', async () => {
    const file = clients.file('moved.json', definition);
    const { code, stderr } = await clients.run('kubectl', ['apply', '--server-side', '-f', file]);
    expect([code, stderr]).toEqual([0, '']);
    const path = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const label = async (name: string) =>
      api
        .send('PATCH', `${path}/${name}?fieldManager=labels`)
        .set('Content-Type', 'application/apply-patch+yaml')
        .send(
          JSON.stringify({
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            metadata: { name, labels: { a: 'b' } },
          }),
        );
    const before = (await api.send('GET', `${path}/engines.example.dev`).expect(200)).body;
    const labeled = await label('engines.example.dev');
    expect([labeled.status, labeled.body.spec]).toEqual([200, before.spec]);
    expect(labeled.body.metadata.labels).toEqual({ a: 'b' });
    const refused = await label('nothings.example.dev');
    expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
  });

  it('applies a part of the spec on the server, in the name of a second manager', async () => {
    const part = (name: string, spec: object) =>
      clients.file('part.json', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name },
        spec,
      });
    const applied = (name: string, spec: object) =>
      clients.run('kubectl', ['apply', '--server-side', '--field-manager=second', '-f', part(name, spec)]);
    const name = 'engines.example.dev';
    const path = `/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    const specNow = async () => (await api.send('GET', path).expect(200)).body.spec;
    const before = await specNow();
    expect(await applied(name, { names: { categories: ['parts'] } })).toMatchObject({ code: 0, stderr: '' });
    expect(await specNow()).toEqual({ ...before, names: { ...before.names, categories: ['parts'] } });
    expect(await applied(name, { scope: 'Namespaced' })).toMatchObject({ code: 0, stderr: '' });
    expect(await specNow()).toEqual(before);
    expect((await applied(name, { scope: 'Cluster' })).stderr).toContain('spec.scope: Invalid value');
    expect((await applied(name, { names: { kind: 'Motor' } })).stderr).toContain('conflict with');
    const missing = await applied('motors.example.dev', { names: { plural: 'motors', kind: 'Motor' } });
    expect(missing.stderr).toContain('spec.scope');
    expect(missing.stderr).toContain('spec.versions');
  });

  it('says that a definition exists already, which tools that create them look for', async () => {
    const again = clients.file('again.json', definition);
    const { code, stderr } = await clients.run('kubectl', ['create', '-f', again]);
    expect(code).toBe(1);
    expect(stderr).toContain('(AlreadyExists)');
    expect(stderr).toContain(
      'customresourcedefinitions.apiextensions.k8s.io "engines.example.dev" already exists',
    );
    const renamed = structuredClone(definition);
    Object.assign(renamed, { metadata: { name: 'engines.other.dev' } });
    renamed.spec.group = 'other.dev';
    expect((await apply(renamed)).stderr).toContain(
      'The plural engines belongs to the definition engines.example.dev.',
    );
  });

  it('names the versions that objects are stored at, which tools that migrate them look for', async () => {
    const path = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const version = (name: string, storage: boolean) => ({ ...definition.spec.versions[0], name, storage });
    const gears = (...versions: object[]) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gears.example.dev' },
      spec: { group: 'example.dev', scope: 'Namespaced', names: { plural: 'gears', kind: 'Gear' }, versions },
    });
    const stored = async () => {
      const { body: one } = await api.send('GET', `${path}/gears.example.dev`).expect(200);
      const { body: list } = await api.send('GET', path).expect(200);
      const listed = list.items.find((item: typeof one) => item.metadata.name === 'gears.example.dev');
      expect(listed).toEqual(one);
      return one.status.storedVersions;
    };
    const gear = {
      apiVersion: 'example.dev/v1',
      kind: 'Gear',
      metadata: { name: 'old' },
      spec: { cylinders: 2 },
    };
    expect(await apply(gears(version('v1', true), version('v2', false)))).toMatchObject({ code: 0 });
    expect(await stored()).toEqual(['v1']);
    expect(await apply(gear)).toMatchObject({ code: 0, stderr: '' });
    expect(await apply(gears(version('v1', false), version('v2', true)))).toMatchObject({ code: 0 });
    expect(await stored()).toEqual(['v1', 'v2']);
    expect((await apply(gears(version('v2', true)))).stderr).toContain(
      'Resources are still stored at a version',
    );
    await clients.kubectl('annotate', 'gear', 'old', 'example.dev/touched=yes', '-n', 'acme');
    expect(await stored()).toEqual(['v2']);
    expect(await apply(gears(version('v2', true)))).toMatchObject({ code: 0, stderr: '' });
  });

  it('says that a kind is not registered', async () => {
    const unknown = { apiVersion: 'example.dev/v9', kind: 'Nothing', metadata: { name: 'a' } };
    expect((await apply(unknown)).stderr).toContain(
      'no matches for kind "Nothing" in version "example.dev/v9"',
    );
  });

  it('does not delete a definition with instances', async () => {
    const refused = await clients.run('kubectl', ['delete', 'crd', 'engines.example.dev', '--wait=false']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Conflict');
    await clients.kubectl('delete', 'engine', 'one', '-n', 'acme');
    expect(await clients.kubectl('delete', 'crd', 'engines.example.dev')).toContain('deleted');
  });
});

const text = { type: 'string' };

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'engines.example.dev' },
  spec: {
    group: 'example.dev',
    scope: 'Namespaced',
    names: { plural: 'engines', kind: 'Engine', shortNames: ['eng'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                required: ['cylinders'],
                properties: {
                  cylinders: {
                    type: 'integer',
                    description: 'How many it has',
                    minimum: 0,
                    exclusiveMinimum: true,
                    'x-kubernetes-validations': [{ rule: 'self % 2 == 0', message: 'must be even' }],
                  },
                  fuel: { type: 'string', default: 'petrol', enum: ['petrol', 'diesel'] },
                },
              },
              status: {
                type: 'object',
                properties: {
                  phase: { type: 'string', enum: ['Running', 'Stopped'] },
                  hours: {
                    type: 'integer',
                    'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'must not decrease' }],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
