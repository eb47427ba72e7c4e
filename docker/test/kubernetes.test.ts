import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@platform/config';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parseAllDocuments } from 'yaml';
import { configIn, documents, root, text, writeSecrets, yaml } from './files.ts';
import { unknownFields } from './unknown-fields.ts';

interface Probe {
  readonly httpGet: { readonly path: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Container {
  readonly image: string;
  readonly env?: unknown;
  readonly envFrom?: unknown;
  readonly resources: { readonly requests: unknown; readonly limits: unknown };
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly volumeMounts: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
  readonly ports: readonly [{ readonly containerPort: number }];
  readonly securityContext: unknown;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
}

interface Pod {
  readonly metadata: { readonly labels: unknown; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly terminationGracePeriodSeconds: number;
    readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
    readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
  };
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: unknown };
    readonly template: Pod;
    readonly progressDeadlineSeconds: number;
    readonly strategy: unknown;
    readonly podSelector?: unknown;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
  };
}

/** The published schemas of Kubernetes, by `apiVersion/kind`. */
const models: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  'apps/v1/Deployment': Deployment,
  'networking.k8s.io/v1/NetworkPolicy': NetworkPolicy,
  'policy/v1/PodDisruptionBudget': PodDisruptionBudget,
  'v1/Namespace': Namespace,
  'v1/Secret': Secret,
  'v1/Service': Service,
  'v1/ServiceAccount': ServiceAccount,
};
const kustomization = yaml<{
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
}>('kubernetes/kustomization.yaml');
const files = [...kustomization.resources, 'secret.example.yaml'];
const objects = files.flatMap((file) => documents<Manifest>(`kubernetes/${file}`));
const deployments = objects.filter((object) => object.kind === 'Deployment');
const containerOf = (deployment: Manifest) => deployment.spec.template.spec.containers[0];
const directory = mkdtempSync(join(tmpdir(), 'platform-kubernetes-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('docker/kubernetes', () => {
  it.each(objects.map((object) => [object.kind, object.metadata.name, object] as const))(
    '%s %s fits the schema of Kubernetes',
    (kind, _name, object) => {
      const Model = models[`${object.apiVersion}/${kind}`];
      if (Model === undefined) throw new Error(`no schema for ${object.apiVersion}/${kind}`);
      expect(() => new Model(object as never).validate()).not.toThrow();
    },
  );

  it('sees what does not fit', () => {
    const [good] = deployments;
    const bad = { ...good, spec: { ...good?.spec, replicas: 'two' } };
    expect(() => new Deployment(bad as never).validate()).toThrow('replicas');
  });

  it('has no field that Kubernetes does not know, and sees one at any depth', () => {
    expect(unknownFields(directory, objects)).toEqual([]);
    const misspelt = JSON.parse(
      JSON.stringify(deployments).replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem'),
    );
    expect(unknownFields(directory, misspelt).join()).toContain('readOnlyRootFileSystem');
  }, 60_000);

  it('lists files that exist and images that the deployments name', () => {
    for (const file of files) expect(existsSync(join(root, 'docker/kubernetes', file))).toBe(true);
    const named = deployments.map((each) => containerOf(each).image);
    expect(kustomization.images.map((image) => image.name)).toEqual(named);
  });

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    '%s selects its own pods, keeps one when others are drained, and is restricted',
    (name, deployment) => {
      const selector = { 'app.kubernetes.io/name': name };
      expect(deployment.spec.selector.matchLabels).toEqual(selector);
      expect(deployment.spec.template.metadata.labels).toMatchObject(selector);
      expect(deployment.spec.replicas).toBeGreaterThan(1);
      const budget = objects.find(
        (each) => each.kind === 'PodDisruptionBudget' && each.metadata.name === name,
      );
      expect(budget?.['spec']).toEqual({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: selector },
      });
      const pod = deployment.spec.template.spec;
      expect(pod).toMatchObject({
        serviceAccountName: name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(pod.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ]);
      expect(containerOf(deployment).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    },
  );

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    '%s is probed and scraped where its image listens',
    (name, deployment) => {
      const { ports, livenessProbe, readinessProbe, startupProbe } = containerOf(deployment);
      const key = name === 'platform-api' ? 'SERVER' : 'COLLECTOR';
      expect(text('Dockerfile')).toContain(`PLATFORM__${key}__LISTEN=0.0.0.0:${ports[0].containerPort}`);
      // The last port: the API has one for its metrics alone (`server.metrics_listen`).
      const scraped = ports.at(-1)?.containerPort;
      expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(String(scraped));
      if (name === 'platform-api') {
        expect(text('kubernetes/config.yaml')).toContain(`metrics_listen: 0.0.0.0:${scraped}`);
      }
      expect([livenessProbe.httpGet.path, startupProbe.httpGet.path]).toEqual(['/healthz', '/healthz']);
      expect(readinessProbe.httpGet.path).toBe('/readyz');
      const open = objects.filter((each) => each.kind === 'NetworkPolicy');
      const ingress = open.flatMap((each) => each.spec.ingress ?? []);
      const opened = ingress.flatMap((rule) => rule.ports.map(({ port }) => port));
      expect(opened).toEqual(expect.arrayContaining([ports[0].containerPort, scraped]));
    },
  );

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    '%s has its secrets by reference, and may write to its /tmp alone',
    (_name, deployment) => {
      const pod = deployment.spec.template.spec;
      const { env, envFrom, volumeMounts } = containerOf(deployment);
      expect([env, envFrom]).toEqual([undefined, undefined]);
      expect(pod.volumes.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual(['platform-secrets']);
      const writable = volumeMounts.filter((mount) => mount.readOnly !== true);
      expect(writable).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
      expect(volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
    },
  );

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    '%s has the time it needs to start and to stop, and requests what it uses',
    (_name, deployment) => {
      const { lifecycle, startupProbe, resources } = containerOf(deployment);
      const [milliseconds = '0'] = /\d+/.exec(lifecycle?.preStop.exec.command.join(' ') ?? '') ?? [];
      // docs/deploy.md#probes: at most 15 s from SIGTERM to the end.
      const stopsInSeconds = Number(milliseconds) / 1000 + 15;
      expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(stopsInSeconds);
      const startsInSeconds = startupProbe.periodSeconds * startupProbe.failureThreshold;
      expect(deployment.spec.progressDeadlineSeconds).toBeGreaterThan(startsInSeconds);
      expect(resources).toEqual({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    },
  );

  it('replaces API pods without ever having fewer, and gives a migration half an hour', () => {
    const api = deployments.find((each) => each.metadata.name === 'platform-api') as Manifest;
    expect(api.spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    const { startupProbe } = containerOf(api);
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(1800);
  });

  const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
  (kubectl ? it : it.skip)(
    'is what kustomize renders: known fields, the release in the images, a hash in the name of the configuration (skipped without kubectl)',
    () => {
      const { stdout } = spawnSync('kubectl', ['kustomize', join(root, 'docker/kubernetes')], {
        encoding: 'utf8',
      });
      const rendered = parseAllDocuments(stdout).map((each) => each.toJS() as Manifest);
      expect(unknownFields(directory, rendered)).toEqual([]);
      expect(rendered.map(({ kind }) => kind).sort()).toEqual(
        [...objects.map(({ kind }) => kind).filter((kind) => kind !== 'Secret'), 'ConfigMap'].sort(),
      );
      const configuration = rendered.find(({ kind }) => kind === 'ConfigMap')?.metadata.name;
      expect(configuration).toMatch(/^platform-config-\w+$/);
      for (const { metadata, spec } of rendered.filter(({ kind }) => kind === 'Deployment')) {
        expect(spec.template.spec.volumes).toContainEqual({
          name: 'config',
          configMap: { name: configuration },
        });
        expect(spec.template.spec.containers[0].image).toMatch(new RegExp(`/${metadata.name}:\\d`));
      }
    },
    60_000,
  );

  it('lets nothing in or out that no policy names', () => {
    const denied = objects.find((each) => each.metadata.name === 'default-deny');
    expect(denied?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const sources = objects
      .filter((each) => each.kind === 'NetworkPolicy')
      .flatMap((each) => (each.spec.ingress ?? []) as readonly { readonly from?: readonly unknown[] }[]);
    for (const { from } of sources) expect(from?.length).toBeGreaterThan(0);
  });

  it('deploys the release of the repository', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(kustomization.images.map(({ newTag }) => newTag)).toEqual([version, version]);
  });

  it('has a configuration that both processes accept in production, and whose secrets stand in the Secret', () => {
    writeSecrets(
      directory,
      'postgres://platform:secret@postgres.database.svc:5432/platform?sslmode=verify-full',
    );
    const file = configIn('kubernetes/config.yaml', '/etc/platform-secrets', directory);
    const config = loadConfig({ env: { PLATFORM_CONFIG: file, NODE_ENV: 'production' } });
    expect(config.origin.generated).toEqual([]);
    expect(config.warnings).toEqual([]);
    const referred = [...text('kubernetes/config.yaml').matchAll(/platform-secrets\/(\w+)/g)];
    const secret = objects.find((each) => each.kind === 'Secret');
    expect(Object.keys(secret?.stringData ?? {}).sort()).toEqual(referred.map((match) => match[1]).sort());
  });
});
