import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
import { configIn, documents, root, text, writeSecrets, yaml } from './files.ts';

interface Container {
  readonly image: string;
  readonly ports: readonly [{ readonly containerPort: number }];
  readonly securityContext: unknown;
  readonly livenessProbe: { readonly httpGet: { readonly path: string } };
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  readonly startupProbe: { readonly httpGet: { readonly path: string } };
}

interface Pod {
  readonly metadata: { readonly labels: unknown; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly [Container] };
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
  readonly images: readonly { readonly name: string }[];
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
      expect(budget?.['spec']).toEqual({ maxUnavailable: 1, selector: { matchLabels: selector } });
      expect(deployment.spec.template.spec).toMatchObject({
        securityContext: { runAsNonRoot: true, runAsUser: 1000 },
      });
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
      expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(
        String(ports[0].containerPort),
      );
      expect([livenessProbe.httpGet.path, startupProbe.httpGet.path]).toEqual(['/healthz', '/healthz']);
      expect(readinessProbe.httpGet.path).toBe('/readyz');
      const open = objects.filter((each) => each.kind === 'NetworkPolicy');
      const ingress = open.flatMap((each) => each.spec.ingress ?? []);
      expect(ingress.flatMap((rule) => rule.ports.map(({ port }) => port))).toContain(ports[0].containerPort);
    },
  );

  it('has a configuration that both processes accept in production, and whose secrets stand in the Secret', () => {
    writeSecrets(directory, 'postgres://platform:secret@postgres.database.svc:5432/platform');
    const file = configIn('kubernetes/config.yaml', '/etc/platform-secrets', directory);
    const config = loadConfig({ env: { PLATFORM_CONFIG: file, NODE_ENV: 'production' } });
    expect(config.origin.generated).toEqual([]);
    expect(config.warnings).toEqual([]);
    const referred = [...text('kubernetes/config.yaml').matchAll(/platform-secrets\/(\w+)/g)];
    const secret = objects.find((each) => each.kind === 'Secret');
    expect(Object.keys(secret?.stringData ?? {}).sort()).toEqual(referred.map((match) => match[1]).sort());
  });
});
