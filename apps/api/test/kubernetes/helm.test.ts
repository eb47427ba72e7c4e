import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';
import { crd, organization } from './objects.ts';

describeWith('helm')('helm (skipped where it is not installed)', () => {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const clients = new KubernetesClients(api);
  const helm = (...parameters: string[]) => clients.output('helm', parameters);
  const size = async () =>
    (await api.get('example.dev/v1/widgets/acme/main').expect(200)).body.spec.size as string;
  let chart = '';

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    chart = join(clients.directory, 'chart');
    mkdirSync(join(chart, 'templates'), { recursive: true });
    mkdirSync(join(chart, 'crds'));
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: widgets\nversion: 1.0.0\n');
    writeFileSync(join(chart, 'values.yaml'), 'size: small\n');
    writeFileSync(join(chart, 'crds/widgets.json'), JSON.stringify(crd));
    writeFileSync(
      join(chart, 'templates/widget.yaml'),
      'apiVersion: example.dev/v1\nkind: Widget\nmetadata: { name: main }\nspec: { size: "{{ .Values.size }}" }\n',
    );
    writeFileSync(join(chart, 'templates/NOTES.txt'), 'The size is {{ .Values.size }}.\n');
    for (const [name, annotations] of [
      ['before', '"helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-delete-policy": hook-succeeded'],
      ['after', '"helm.sh/hook": post-install'],
    ] as const) {
      const metadata = `{ name: ${name}, annotations: { ${annotations} } }`;
      const hook = `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\ndata: { a: b }\n`;
      writeFileSync(join(chart, `templates/${name}.yaml`), hook);
    }
  });

  it('installs, upgrades, rolls back and uninstalls a release', async () => {
    expect(await helm('install', 'first', chart)).toContain('STATUS: deployed');
    expect(await size()).toBe('small');
    await helm('upgrade', 'first', chart, '--set', 'size=large');
    expect(await size()).toBe('large');
    expect(await helm('list')).toMatch(/first\s+acme\s+2/);
    await helm('rollback', 'first', '1');
    expect(await size()).toBe('small');
    expect(await helm('history', 'first')).toContain('Rollback to 1');
    await helm('uninstall', 'first');
    await api.get('example.dev/v1/widgets/acme/main').expect(404);
  });

  it('shows a release, with its values, manifest, notes and hooks', async () => {
    await helm('install', 'shown', chart, '--set', 'size=huge', '--wait', '--timeout', '30s');
    expect(await helm('status', 'shown')).toMatch(/STATUS: deployed[\s\S]*The size is huge\./);
    expect(await helm('get', 'values', 'shown')).toContain('size: huge');
    expect(await helm('get', 'manifest', 'shown')).toContain('kind: Widget');
    expect(await helm('get', 'notes', 'shown')).toContain('The size is huge.');
    expect(await helm('get', 'hooks', 'shown')).toContain('name: before');
    expect(await helm('get', 'all', 'shown')).toContain('REVISION: 1');
    // Of the two hooks, one is deleted when it has succeeded.
    const kept = await clients.kubectl('get', 'configmaps', '-o', 'name');
    expect(kept.trim()).toBe('configmap/after');
    await helm('uninstall', 'shown', '--wait', '--timeout', '30s');
  });

  it('goes back to the last good revision after an upgrade that failed', async () => {
    await helm('install', 'broken', chart);
    const upgrade = await clients.run('helm', ['upgrade', 'broken', chart, '--set', 'size=tiny']);
    expect([upgrade.code, upgrade.stderr]).toEqual([1, expect.stringContaining('spec.size')]);
    expect(await helm('status', 'broken')).toContain('STATUS: failed');
    expect(await size()).toBe('small');
    await helm('rollback', 'broken', '1', '--wait', '--timeout', '30s');
    expect(await helm('status', 'broken')).toContain('STATUS: deployed');
    expect(await helm('history', 'broken')).toMatch(/1 .*superseded[\s\S]*2 .*failed[\s\S]*3 .*deployed/);
    await helm('upgrade', 'broken', chart, '--set', 'size=large');
    expect(await size()).toBe('large');
    await helm('uninstall', 'broken');
  });

  it('creates the namespace of a release', async () => {
    await helm('install', 'away', chart, '-n', 'fresh', '--create-namespace', '--wait', '--timeout', '30s');
    expect(await helm('list', '-A', '--short')).toBe('away\n');
    await api.get('platform.dev/v1alpha1/organizations/fresh').expect(200);
    await api.get('example.dev/v1/widgets/fresh/main').expect(200);
    await helm('uninstall', 'away', '-n', 'fresh');
  });
});
