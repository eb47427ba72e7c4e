import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { describeWith, isKubectlSince, KubernetesClients, patience } from './kubernetes-clients.ts';
import { crd, organization, widget } from './objects.ts';

describeWith('kubectl')('the output of kubectl get (skipped where it is not installed)', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const clients = new KubernetesClients(api);
  const get = (...parameters: string[]) => clients.kubectl('get', 'wd', ...parameters);

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await clients.kubectl('apply', '-f', clients.file('crd.json', crd));
    await clients.kubectl('apply', '-f', clients.file('both.json', widget('small'), widget('large')));
  });

  it.each([
    ['wide', /^NAME +SIZE\nlarge +large\nsmall +small\n$/],
    ['name', /^widget\.example\.dev\/large\nwidget\.example\.dev\/small\n$/],
    ['json', /^\{\n {4}"apiVersion": "v1",\n {4}"items": \[/],
    ['yaml', /^apiVersion: v1\nitems:\n- apiVersion: example\.dev\/v1\n/],
    ['jsonpath={.items[*].spec.size}', /^large small$/],
    ['jsonpath-as-json={.items[*].spec.size}', /^\[\n {4}"large",\n {4}"small"\n\]\n$/],
    ['go-template={{range .items}}{{.metadata.name}};{{end}}', /^large;small;$/],
    ['custom-columns=N:.metadata.name,C:.spec.color', /^N +C\nlarge +red\nsmall +red\n$/],
  ])('prints -o %s', async (form, expected) => {
    expect(await get('-o', form)).toMatch(expected);
  });

  it.each([
    ['jsonpath-file', '{.items[*].spec.size}', /^large small$/],
    ['go-template-file', '{{range .items}}{{.metadata.name}};{{end}}', /^large;small;$/],
    ['custom-columns-file', 'N C\n.metadata.name .spec.color\n', /^N +C\nlarge +red\nsmall +red\n$/],
  ])('prints -o %s', async (form, template, expected) => {
    const file = join(clients.directory, form);
    writeFileSync(file, template);
    expect(await get('-o', `${form}=${file}`)).toMatch(expected);
  });

  it('prints -o kyaml, where kubectl has it by itself', async () => {
    if (!isKubectlSince(35)) return;
    expect(await get('-o', 'kyaml')).toMatch(/^---\n\{\n {2}apiVersion: "v1",\n {2}items: \[\{/);
  });

  it('shows which role a binding gives, and explains the kinds of the platform', async () => {
    const platform = { apiVersion: 'platform.dev/v1alpha1' };
    const { uid } = (await api.get('platform.dev/v1alpha1/organizations/acme')).body.metadata;
    const binding = {
      ...platform,
      kind: 'RoleBinding',
      metadata: { name: 'keepers' },
      spec: {
        roleRef: { name: 'viewer' },
        subjects: [
          { kind: 'User', name: 'a@example.dev' },
          { kind: 'Group', name: 'b' },
        ],
        scope: { ...platform, kind: 'Organization', name: 'acme', uid },
      },
    };
    const role = {
      ...platform,
      kind: 'Role',
      metadata: { name: 'viewer' },
      spec: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }] },
    };
    await clients.kubectl('apply', '-f', clients.file('role.json', role, binding));
    expect(await clients.kubectl('get', 'rolebinding', '-o', 'wide')).toMatch(
      /^NAME +ROLE +SCOPE +AGE +SUBJECTS\nkeepers +viewer +acme +\w+ +a@example\.dev,b\n$/,
    );
    expect(await clients.kubectl('get', 'resourcedefinition')).toMatch(
      /^NAME +GROUP +KIND +AGE\nwidgets\.example\.dev +example\.dev +Widget +\w+\n$/,
    );
    const explain = (path: string) => clients.kubectl('explain', path, '--recursive');
    expect(await explain('role.spec')).toMatch(/rules\t<\[\]Object>[\s\S]* verbs\t<\[\]string>/);
    expect(await explain('rolebinding.spec')).toMatch(/scope\t<Object>[\s\S]* uid\t<string>/);
    expect(await explain('subscription.spec')).toContain('url\t<string>');
    expect(await explain('resourcedefinition.spec.versions')).toContain('storage\t<boolean>');
    expect(await explain('organization')).toContain('spec\t<Object>');
  });

  it('shows how many values ConfigMaps and Secrets have', async () => {
    await clients.kubectl('create', 'configmap', 'counted', '--from-literal=a=1', '--from-literal=b=2');
    await clients.kubectl('create', 'configmap', 'without');
    await clients.kubectl('create', 'secret', 'generic', 'counted', '--from-literal=a=1');
    expect(await clients.kubectl('get', 'configmaps')).toMatch(
      /^NAME +DATA +AGE\ncounted +2 +\w+\nwithout +0 +\w+\n$/,
    );
    expect(await clients.kubectl('get', 'secrets')).toMatch(
      /^NAME +TYPE +DATA +AGE\ncounted +Opaque +1 +\w+\n$/,
    );
  });

  it('shows labels, columns of labels and kinds', async () => {
    expect(await get('--show-labels')).toMatch(/small +small +size=small\n/);
    expect(await get('-L', 'size', '--no-headers')).toMatch(/^large +large +large\n/);
    expect(await get('--show-kind')).toContain('widget.example.dev/small');
  });

  it.each([
    ['size=small', 'small'],
    ['size!=small', 'large'],
    ['size in (small, huge)', 'small'],
    ['size notin (small)', 'large'],
    ['size,!absent', 'large small'],
  ])('selects -l %s', async (selector, expected) => {
    expect(await get('-l', selector, '-o', 'jsonpath={.items[*].metadata.name}')).toBe(expected);
  });

  it('deletes with every cascade but orphan, and waits', async () => {
    for (const [name, cascade] of [
      ['small', 'background'],
      ['large', 'foreground'],
    ] as const) {
      const deleted = await clients.kubectl('delete', 'wd', name, `--cascade=${cascade}`, '--wait', patience);
      expect(deleted).toContain(`"${name}" deleted`);
    }
    expect((await clients.run('kubectl', ['get', 'wd'])).stderr).toContain('No resources found');
  });

  it('prints a kustomization without a server', async () => {
    const kustomization = { resources: ['both.json'], namePrefix: 'my-' };
    clients.file('kustomization.yaml', kustomization);
    expect(await clients.kubectl('kustomize', clients.directory)).toContain('name: my-small');
  });
});
