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
});
