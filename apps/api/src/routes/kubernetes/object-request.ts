import { invalid, type Precondition } from '@platform/kernel';
import {
  type KubernetesKind,
  type ObjectRenderer,
  parseResourceVersion,
  type RequestedObject,
  readDryRun,
} from '@platform/kubernetes';
import { platformGroup } from '@platform/resources';
import type { Call } from '../../endpoint/call.ts';
import type { Readiness } from '../operations/probes.ts';
import type { ResourceDeps } from '../resources/index.ts';
import type { KindDirectory, ServedKind } from './kind-directory.ts';
import type { KubernetesCluster } from './kubeconfig.ts';
import type { ListVersions } from './list-versions.ts';
import type { OpenApiDocuments } from './openapi-documents.ts';
import type { ObjectPath } from './path.ts';
import type { StoredVersions } from './stored-versions.ts';

/** The dependencies of the Kubernetes API. */
export interface KubernetesDeps extends ResourceDeps {
  readonly directory: KindDirectory;
  readonly openApi: OpenApiDocuments;
  readonly listVersions: ListVersions;
  readonly cluster: KubernetesCluster;
  /** The version of the platform. */
  readonly softwareVersion: string;
  readonly publicUrl: string;
  /** Milliseconds since the Unix epoch. */
  readonly clock: { now(): number };
  readonly readiness: Readiness;
}

/** A request for objects of a kind. */
export interface ObjectRequest extends ServedKind {
  readonly call: Call;
  readonly path: ObjectPath;
  readonly query: URLSearchParams;
  readonly renderer: ObjectRenderer;
  /** The stored versions of definitions, unless the request watches them; null for other kinds. */
  readonly storedVersions: StoredVersions | null;
  /** Tells refusals the name of the object, which the path of a `create` does not have. */
  named(name: string): void;
  /** Tells refusals that they are about the namespace, which does not exist. */
  namespaceMissing(): void;
}

/** The verb of a request in the words of Kubernetes; that of a method which it does not have names no operation. */
export function verbOf(method: string, { name, subresource }: ObjectPath, query: URLSearchParams): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      // A part of an object is only read, as in Kubernetes.
      if (isWatch(query) && subresource === null) return 'watch';
      return name === null ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === null ? 'deletecollection' : 'delete';
    default:
      return method.toLowerCase();
  }
}

/** Whether the request asks for a stream. */
export function isWatch(query: URLSearchParams): boolean {
  return flagOf(query, 'watch') ?? false;
}

/** A boolean parameter; null when it is not sent. As in Kubernetes, everything is true but `false` and `0`: the client for Python sends `True`. */
export function flagOf(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  return text === null ? null : !['false', '0'].includes(text.toLowerCase());
}

/** The request as refusals name it. */
export function requestedBy(path: ObjectPath, method: string, query: URLSearchParams): RequestedObject {
  const { group, plural, namespace, name, subresource } = path;
  return {
    group,
    plural,
    namespace,
    name,
    kind: plural,
    verb: verbOf(method, path, query),
    resource: subresource === null ? plural : `${plural}/${subresource}`,
  };
}

/**
 * Dry run in the form of the resource API. An empty value has no effect, as in Kubernetes. Throws `validation_failed` for a value other
 * than `All`.
 */
export function dryRunOf(query: URLSearchParams): { readonly dryRun: 'true' | null } {
  const values = query.getAll('dryRun').filter((value) => value !== '');
  return { dryRun: readDryRun(values) ? 'true' : null };
}

/** Whether nothing is stored. Throws as {@link dryRunOf}. */
export function isDryRun(query: URLSearchParams): boolean {
  return dryRunOf(query).dryRun !== null;
}

/** Throws `validation_failed` for `force`, which only a server-side apply knows. */
export function requireNoForce(query: URLSearchParams): void {
  if (!query.has('force')) return;
  const message = 'may not be specified for non-apply patch';
  throw invalid([{ path: '/force', message, reason: 'FieldValueForbidden' }]);
}

/** Characters of all warnings of an answer, at most, and of one where they are more: clients and proxies limit headers. As in Kubernetes. */
const longestWarnings = { all: 4_096, one: 256 };

/** Sets the warnings of the answer: the deprecation of the version, and these. They replace those of an earlier attempt. */
export function warn(
  { call, kind }: Pick<ObjectRequest, 'call' | 'kind'>,
  warnings: readonly string[],
): void {
  call.removeHeader('Warning');
  const every = [...(kind.deprecation === null ? [] : [kind.deprecation]), ...warnings];
  const isLong = every.join('').length > longestWarnings.all;
  const shown = isLong ? every.map((text) => text.slice(0, longestWarnings.one)) : every;
  const some = shown.slice(0, isLong ? longestWarnings.all / longestWarnings.one : shown.length);
  if (some.length > 0) call.setHeaders({ Warning: some.map(warningHeader) });
}

/** A warning in UTF-8, which Node.js takes as one character for each byte. No control characters, which no header has. */
function warningHeader(text: string): string {
  const quoted = JSON.stringify(text.replaceAll(/\p{Cc}/gu, '?'));
  return `299 - ${Buffer.from(quoted, 'utf8').toString('latin1')}`;
}

/** Whether the kind is one of Kubernetes itself, with typed clients. */
export function isBuiltIn({ form }: KubernetesKind): boolean {
  return form !== 'resource';
}

/** The state that a write is for; null for any. */
export function preconditionOf(resourceVersion: string | null): Precondition | null {
  if (resourceVersion === null) return null;
  const version = parseResourceVersion(resourceVersion);
  const match = version?.of === 'object' ? [`${version.uid}.${version.revision}`] : [];
  return { match, noneMatch: null };
}

/** Whether objects of the kind take strategic merge patches. kubectl sends them to every kind whose OpenAPI document says so. */
export function takesStrategicMerge(kind: KubernetesKind): boolean {
  return isBuiltIn(kind) || kind.group === platformGroup;
}
