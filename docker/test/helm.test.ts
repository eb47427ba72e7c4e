import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { documents, root, text } from './files.ts';
import { unknownFields } from './unknown-fields.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations: object };
      readonly spec: {
        readonly volumes: readonly object[];
        readonly containers: readonly [{ readonly env?: object; readonly volumeMounts: readonly object[] }];
      };
    };
  };
}

interface Rules {
  readonly egress?: readonly object[];
  readonly ingress?: readonly object[];
}

const terms = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
};
const source = (name: string) => [{ secretRef: { name } }];
const directory = mkdtempSync(join(tmpdir(), 'platform-chart-'));
afterAll(() => rmSync(directory, { recursive: true }));

const chart = join(root, 'docker/helm/platform');
const installed = spawnSync('helm', ['version']).status === 0;
const describeWhereInstalled = installed ? describe : describe.skip;

function render(values: readonly string[] = [], json: readonly string[] = []): readonly Manifest[] {
  const set = [
    ...values.flatMap((value) => ['--set', value]),
    ...json.flatMap((value) => ['--set-json', value]),
  ];
  const { stdout, stderr, status } = spawnSync('helm', ['template', 'platform', chart, ...set], {
    encoding: 'utf8',
  });
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

  it.each(['api', 'collector'])(
    'adds to the pods of the %s, and of no other, what the values name',
    (name) => {
      const tolerations = [{ key: 'platform', operator: 'Exists' }];
      const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
      const [env, envFrom] = [[{ name: 'NODE_OPTIONS', value: '--max-old-space-size=400' }], source('more')];
      const [volumes, volumeMounts] = [
        [{ name: 'ca', configMap: { name: 'ca' } }],
        [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
      ];
      const values = {
        extraEnv: env,
        extraEnvFrom: envFrom,
        extraVolumes: volumes,
        extraVolumeMounts: volumeMounts,
        podAnnotations: { 'prometheus.io/scrape': 'false', team: 'web' },
        podLabels: { team: 'web' },
        serviceAccountAnnotations: { role: 'database' },
        nodeSelector: { disk: 'ssd' },
        tolerations,
        affinity,
        priorityClassName: 'high',
      };
      const set = Object.entries(values).map(([key, value]) => `${name}.${key}=${JSON.stringify(value)}`);
      const rendered = render([], set);
      const [before] = only(render(), `Deployment platform-${name}`) as unknown as [Deployment];
      const [after] = only(rendered, `Deployment platform-${name}`) as unknown as [Deployment];
      const { template } = after.spec;
      const [container] = template.spec.containers;
      const [plain] = before.spec.template.spec.containers;
      expect(template.metadata).toMatchObject({
        labels: { ...before.spec.template.metadata.labels, team: 'web' },
        annotations: { 'prometheus.io/scrape': 'false', 'prometheus.io/port': '9090', team: 'web' },
      });
      expect(template.spec).toEqual({
        ...before.spec.template.spec,
        ...{ nodeSelector: { disk: 'ssd' }, tolerations, affinity, priorityClassName: 'high' },
        volumes: [...before.spec.template.spec.volumes, ...volumes],
        containers: [{ ...plain, env, envFrom, volumeMounts: [...plain.volumeMounts, ...volumeMounts] }],
      });
      expect(container.env).toEqual(env);
      const account = { metadata: { annotations: { role: 'database' } } };
      expect(only(rendered, `ServiceAccount platform-${name}`)).toMatchObject([account]);
      expect(unknownFields(directory, rendered)).toEqual([]);
      const changed = rendered.filter(
        (each, index) => JSON.stringify(each) !== JSON.stringify(render()[index]),
      );
      expect(changed.map(nameOf).sort()).toEqual([
        `Deployment platform-${name}`,
        `ServiceAccount platform-${name}`,
      ]);
    },
  );

  it('pulls images with the credentials, and opens the network to the addresses, that the values name', () => {
    const egress = [{ to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ protocol: 'TCP', port: 4318 }] }];
    const ingress = [
      { from: [{ ipBlock: { cidr: '10.9.0.0/16' } }], ports: [{ protocol: 'TCP', port: 8080 }] },
    ];
    const rendered = render(
      ['image.pullPolicy=Always', 'image.tag=next'],
      [
        'imagePullSecrets=[{"name":"registry-login"}]',
        `networkPolicies.extraEgress=${JSON.stringify(egress)}`,
        `networkPolicies.extraIngress=${JSON.stringify(ingress)}`,
        'api.serviceAnnotations={"probe":"on"}',
      ],
    );
    for (const name of ['api', 'collector']) {
      const [{ spec }] = only(rendered, `Deployment platform-${name}`) as unknown as [Deployment];
      expect(spec.template.spec).toMatchObject({
        imagePullSecrets: [{ name: 'registry-login' }],
        containers: [{ image: `registry.example.com/platform-${name}:next`, imagePullPolicy: 'Always' }],
      });
    }
    const rules = (policy: string) =>
      (only(rendered, `NetworkPolicy ${policy}`) as unknown as [{ spec: Rules }])[0].spec;
    expect(rules('names-and-database').egress?.slice(2)).toEqual(egress);
    expect(rules('api').ingress?.slice(2)).toEqual(ingress);
    expect(only(rendered, 'Service platform-api')).toMatchObject([
      { metadata: { annotations: { probe: 'on' } } },
    ]);
    expect(unknownFields(directory, rendered)).toEqual([]);
  });
});

it('the chart has the version of the repository', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(parseYaml(text('helm/platform/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

it('the page of the chart names every value', () => {
  const values = parseYaml(text('helm/platform/values.yaml')) as Readonly<Record<string, object | null>>;
  const ofProcess = (name: string) => Object.keys(values[name] ?? {});
  const page = text('helm/platform/README.md');
  const named = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
    [...(cell ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
  );
  const keys = Object.keys(values).flatMap((key) =>
    ['image', 'networkPolicies'].includes(key) ? ofProcess(key).map((name) => `${key}.${name}`) : [key],
  );
  const inPods = [...new Set([...ofProcess('api'), ...ofProcess('collector')])].map((name) => `api.${name}`);
  const wanted = [...keys.filter((key) => key !== 'api' && key !== 'collector'), ...inPods];
  expect([...named].sort()).toEqual(wanted.sort());
});
