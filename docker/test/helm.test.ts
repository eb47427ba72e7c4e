import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { documents, root, text } from './files.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

const chart = join(root, 'docker/helm/platform');
const installed = spawnSync('helm', ['version']).status === 0;
const describeWhereInstalled = installed ? describe : describe.skip;

function render(values: readonly string[] = []): readonly Manifest[] {
  const { stdout, stderr, status } = spawnSync(
    'helm',
    ['template', 'platform', chart, ...values.flatMap((value) => ['--set', value])],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).map((each) => each.toJS() as Manifest);
}

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const only = (objects: readonly Manifest[], name: string) => objects.filter((each) => nameOf(each) === name);

/** The manifests as kustomize would leave them: with the image of the registry. */
function manifests(): readonly Manifest[] {
  const files = ['service-accounts', 'api', 'collector', 'network-policies'];
  const objects = files.flatMap((file) => documents<Manifest>(`kubernetes/${file}.yaml`));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const withImages = JSON.stringify(objects).replace(
    /"image":"(platform-\w+)"/g,
    `"image":"registry.example.com/$1:${version}"`,
  );
  return JSON.parse(withImages) as Manifest[];
}

/** Without what only the chart writes: the hash that makes new pods of a new configuration. */
function withoutHash(object: Manifest): Manifest {
  return JSON.parse(JSON.stringify(object).replace(/"checksum\/config":"[0-9a-f]{64}",/, '')) as Manifest;
}

describeWhereInstalled('docker/helm/platform (skipped without helm)', () => {
  it('has nothing that helm lint finds', () => {
    const { stdout, status } = spawnSync('helm', ['lint', '--strict', chart], { encoding: 'utf8' });
    expect(`${status} ${stdout}`).toContain('0 chart(s) failed');
  });

  it('renders by default what docker/kubernetes has', () => {
    const rendered = render().map(withoutHash);
    for (const wanted of manifests()) expect(only(rendered, nameOf(wanted))).toEqual([wanted]);
    const more = rendered.filter((each) => only(manifests(), nameOf(each)).length === 0);
    expect(more.map(nameOf)).toEqual(['ConfigMap platform-config']);
    const config = parseYaml(more[0]?.data?.['platform.yaml'] ?? '');
    expect(config).toEqual(parseYaml(text('kubernetes/config.yaml')));
  });

  it('makes new pods when the configuration changes', () => {
    const hash = (values: readonly string[]) =>
      /checksum\/config":"(\w+)/.exec(JSON.stringify(render(values)))?.[1];
    expect(hash([])).toBe(hash(['api.replicas=3']));
    expect(hash(['config.server.public_url=https://other.example.com'])).not.toBe(hash([]));
  });

  it('adds an Ingress, a route, an autoscaler and monitors on request', () => {
    const added = render([
      'ingress.className=nginx',
      'ingress.host=platform.example.com',
      'ingress.tlsSecret=platform-tls',
      'gateway.host=platform.example.com',
      'gateway.parentRefs[0].name=public',
      'api.autoscaling.minReplicas=2',
      'api.autoscaling.maxReplicas=6',
      'api.autoscaling.cpuPercent=70',
      'serviceMonitors.interval=30s',
    ]);
    const before = render().map(nameOf);
    expect(
      added
        .map(nameOf)
        .filter((name) => !before.includes(name))
        .sort(),
    ).toEqual([
      'HTTPRoute platform-api',
      'HorizontalPodAutoscaler platform-api',
      'Ingress platform-api',
      'Service platform-api-metrics',
      'Service platform-collector-metrics',
      'ServiceMonitor platform-api',
      'ServiceMonitor platform-collector',
    ]);
    const [api] = only(added, 'Deployment platform-api') as unknown as [{ spec: { replicas?: number } }];
    expect(api.spec.replicas).toBeUndefined();
  });
});

it('the chart has the version of the repository', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(parseYaml(text('helm/platform/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});
