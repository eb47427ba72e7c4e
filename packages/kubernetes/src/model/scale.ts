import { invalid } from '@platform/kernel';
import { type JsonObject, type JsonValue, parseValue, type Resource, renderValue } from '@platform/resources';
import { jsonValueOf, members, objectOf } from '../definitions/values.ts';
import type { KubernetesKind, ScalePaths } from './kind.ts';
import { type SentObject, toSentObject } from './read-object.ts';
import { renderObject } from './render-object.ts';

/** The type of a Scale, which every kind with replicas shares. Its members are `spec` and a status that nobody writes. */
const scaleKind: KubernetesKind = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  singular: 'scale',
  shortNames: [],
  categories: [],
  description: '',
  depth: 1,
  form: 'lease',
  columns: [],
  scale: null,
  deprecation: null,
  stored: { group: '', version: '', plural: '', kind: '' },
};

/** Clients read replicas as 32-bit numbers. */
const maxReplicas = 2_147_483_647;

/** Members of `metadata` that a Scale shares with its object. */
const sharedMembers = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'];

/** A Scale as a client sent it. */
export interface SentScale extends Pick<SentObject, 'name' | 'namespace' | 'uid' | 'resourceVersion'> {
  /** The number as JSON text, which may be of any value. */
  readonly replicas: JsonValue;
}

function valueAt(object: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => objectOf(value)?.get(name), object);
}

const countAt = (object: JsonValue, path: readonly string[]) => {
  const value = valueAt(object, path);
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? value : undefined;
};

/** The Scale of an object. One without replicas counts as zero, as when Kubernetes sets them. */
export function scaleOf(object: JsonValue, paths: ScalePaths): JsonObject {
  const metadata = objectOf(objectOf(object)?.get('metadata')) ?? new Map<string, JsonValue>();
  const selector = paths.selector === null ? undefined : valueAt(object, paths.selector);
  return members({
    kind: jsonValueOf(scaleKind.kind),
    apiVersion: jsonValueOf(`${scaleKind.group}/${scaleKind.version}`),
    metadata: members(Object.fromEntries(sharedMembers.map((name) => [name, metadata.get(name)]))),
    spec: members({ replicas: countAt(object, paths.spec) ?? '0' }),
    status: members({
      replicas: countAt(object, paths.status) ?? '0',
      selector: typeof selector === 'string' && selector.startsWith('"') ? selector : undefined,
    }),
  });
}

/** The Scale of a resource. Throws `validation_failed` for one that says no number of replicas. */
export function renderScale(resource: Resource, kind: KubernetesKind, paths: ScalePaths): string {
  const object = parseValue(renderObject(resource, kind));
  if (countAt(object, paths.spec) === undefined) {
    const message = `the spec replicas field ".${paths.spec.join('.')}" does not exist`;
    throw invalid([{ path: `/${paths.spec.join('/')}`, message }]);
  }
  return renderValue(scaleOf(object, paths));
}

/** Reads a Scale. Throws `malformed_body` or `validation_failed`. */
export function readScale(value: JsonValue): SentScale {
  const { name, namespace, uid, resourceVersion, spec } = toSentObject(value, scaleKind);
  // Programs in Go leave out a zero.
  const replicas = spec.get('replicas') ?? '0';
  const isCount = typeof replicas === 'string' && /^\d{1,10}$/.test(replicas);
  if (!isCount || Number(replicas) > maxReplicas) {
    const message = `must be an integer from 0 to ${maxReplicas}`;
    throw invalid([{ path: '/spec/replicas', message }]);
  }
  return { name, namespace, uid, resourceVersion, replicas };
}

/** The object with other replicas. The object itself does not change. */
export function scaledBy(object: JsonValue, path: readonly string[], replicas: JsonValue): JsonValue {
  const [name, ...more] = path;
  if (name === undefined) return replicas;
  const inside = objectOf(object) ?? new Map<string, JsonValue>();
  return new Map(inside).set(name, scaledBy(inside.get(name) ?? new Map(), more, replicas));
}
