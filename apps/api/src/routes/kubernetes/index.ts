import { Problem } from '@platform/kernel';
import {
  type KubernetesKind,
  objectConflict,
  objectPointer,
  type RequestedObject,
  rendererOf,
  servedKind,
} from '@platform/kubernetes';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { hasDotSegment } from '../../http/dot-segments.ts';
import { refusalFor, requireAccount } from '../../http/require-account.ts';
import { recordRefusal } from '../resources/index.ts';
import { createObject } from './creates.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './deletes.ts';
import { discoveryAnswer, pathsAnswer, versionAnswer } from './discovery.ts';
import { DuplicateKeys } from './duplicate-keys.ts';
import { eventsAnswer } from './events.ts';
import { kubeconfigAnswer } from './kubeconfig.ts';
import { type KubernetesDeps, type ObjectRequest, requestedBy, verbOf, warn } from './object-request.ts';
import { openApiAnswer } from './openapi.ts';
import { type KubernetesPath, kubernetesPrefix, type ObjectPath, parseKubernetesPath } from './path.ts';
import { refusalOf } from './permission.ts';
import { getObject, listObjects } from './reads.ts';
import { statusAnswer } from './refusal.ts';
import { inPreferredType, representationOf } from './representation.ts';
import { kindOfReview, reviewAnswer } from './reviews.ts';
import { scaleAnswer } from './scale.ts';
import { StoredVersions } from './stored-versions.ts';
import { watchObjects } from './watch.ts';
import { NamespaceMissing, patchObject, replaceObject } from './writes.ts';

/** Paths that probes and clients ask without a credential, as in Kubernetes. */
const openPaths = new Set(['version', 'healthz', 'readyz', 'livez', 'kubeconfig']);

/** The Kubernetes API: requests are translated to those of the resource API and back. */
export function kubernetesFamily(deps: KubernetesDeps): EndpointFamily {
  const requested = new WeakMap<Call, RequestedObject>();
  return {
    prefix: kubernetesPrefix,
    access: (call) => (isOpen(call) ? 'public' : 'authenticated'),
    unlimited:
      'without a credential there are constant texts only, and readiness, of which requests that arrive together share one check',
    async handle(call) {
      if (!isOpen(call)) requireOwnName(call, requested);
      try {
        const answer = await route(deps, call, requested);
        // Kubernetes sends no `Location`, and that of the resource API is a path there.
        const { Location: _, ...headers } = answer.headers ?? {};
        return { ...answer, headers: { 'Cache-Control': 'no-cache, private', ...headers } };
      } catch (error) {
        throw await refusalFor(deps, call.context.principal, error);
      }
    },
    onError: (error, call) => statusAnswer(error, call, requested.get(call) ?? null),
    refused: (call, problem) => {
      if (call.context.principal !== null) recordRefusal(deps, call, problem);
    },
  };
}

const below = (call: Call) => call.path.slice(kubernetesPrefix.length);

function isOpen(call: Call): boolean {
  return openPaths.has(below(call).slice(1).split('/')[0] ?? '');
}

/**
 * Throws `forbidden` for a request in the name of somebody else, as Kubernetes does for callers who may not impersonate anybody.
 *
 * It must not run in the name of the caller: `kubectl delete --as`, to see what somebody else may delete, would delete.
 */
function requireOwnName(call: Call, requested: WeakMap<Call, RequestedObject>): void {
  const header = Object.keys(call.headers).find((name) => name.startsWith('impersonate-'));
  if (header === undefined) return;
  const name = call.headers['impersonate-user'];
  const users = { group: '', plural: 'users', kind: 'users', resource: 'users', namespace: null };
  requested.set(call, { ...users, verb: 'impersonate', name: typeof name === 'string' ? name : null });
  throw new Problem('forbidden', 'Nobody may make requests in the name of somebody else.');
}

async function route(
  deps: KubernetesDeps,
  call: Call,
  requested: WeakMap<Call, RequestedObject>,
): Promise<Answer> {
  // Attack: a NUL, which PostgreSQL refuses in a text, so that the answer would be a fault of the service.
  if (hasDotSegment(call.path) || call.path.includes('%00')) throw unknownPath();
  const path = parseKubernetesPath(below(call));
  if (path === null) throw new Problem('malformed_path', 'the path is not percent-encoded UTF-8');
  if (path.type === 'object') return await resourceAnswer(deps, call, path, requested);
  const [root = '', ...more] = path.segments;
  requireRead(call);
  if (more.length > 0 && (root === 'version' || root === 'kubeconfig')) throw unknownPath();
  if (root === 'version') return versionAnswer(deps);
  if (root === 'kubeconfig') return kubeconfigAnswer(deps.cluster);
  if (root === 'readyz') return readinessAnswer(await deps.readiness.reasons());
  if (openPaths.has(root)) return { ...plainText, status: 200, body: 'ok' };
  if (call.context.principal !== null) await requireAccount(deps, call.context.principal);
  if (root === '') return await pathsAnswer(deps);
  if (root === 'openapi') return await openApiAnswer(deps, call, path.segments);
  if (root === 'api' || root === 'apis') return await discoveryAnswer(deps, call, path.segments);
  throw unknownPath();
}

/** The answer to a path of objects, of events or of a review. */
async function resourceAnswer(
  deps: KubernetesDeps,
  call: Call,
  { object, isWatch }: KubernetesPath & { readonly type: 'object' },
  requested: WeakMap<Call, RequestedObject>,
): Promise<Answer> {
  const query = call.searchParams;
  if (isWatch) query.set('watch', 'true');
  requested.set(call, requestedBy(object, call.method, query));
  if (isWatch) requireRead(call);
  const review = kindOfReview(object);
  if (review !== null) {
    requested.set(call, { ...requestedBy(object, call.method, query), kind: review });
    return await reviewAnswer(deps, call, object, review);
  }
  if (isEvents(object)) return await eventsAnswer(deps, call, object, query);
  return await objectAnswer(deps, call, object, query, requested);
}

const plainText = { contentType: 'text/plain; charset=utf-8' };

/** Not thrown: probes ask every few seconds, and each refusal would be a line in the log. */
function readinessAnswer(reasons: readonly string[]): Answer {
  if (reasons.length === 0) return { ...plainText, status: 200, body: 'ok' };
  return { ...plainText, status: 503, body: reasons.join('\n'), headers: { 'Retry-After': '1' } };
}

function unknownPath(): Problem {
  return new Problem('unknown_endpoint', 'the server could not find the requested resource');
}

function isEvents({ group, version, plural }: ObjectPath): boolean {
  return plural === 'events' && version === 'v1' && (group === '' || group === 'events.k8s.io');
}

function requireRead({ method }: Call): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new Problem('method_not_allowed', 'the server does not allow this method on the requested resource', {
    allow: ['GET'],
  });
}

async function objectAnswer(
  deps: KubernetesDeps,
  call: Call,
  path: ObjectPath,
  query: URLSearchParams,
  requested: WeakMap<Call, RequestedObject>,
): Promise<Answer> {
  return await deps.directory.resolve(path, async ({ kind, ...schemas }) => {
    // An attempt with an old definition may have set others.
    warn({ call, kind }, []);
    const asked = { ...requestedBy(path, call.method, query), kind: kind.kind };
    requested.set(call, asked);
    const named = (name: string) => void requested.set(call, { ...asked, name });
    const namespaceMissing = () => {
      const namespace = { group: '', plural: 'namespaces', kind: 'Namespace', resource: 'namespaces' };
      requested.set(call, { ...asked, ...namespace, name: path.namespace });
    };
    const storedVersions = await storedVersionsOf(deps, kind, path, asked.verb);
    const renderer = rendererOf(
      kind,
      representationOf(call.headers.accept, query),
      () => deps.clock.now(),
      storedVersions === null ? undefined : (plural) => storedVersions.of(plural),
    );
    const told = { named, namespaceMissing };
    const request: ObjectRequest = { call, kind, ...schemas, path, query, renderer, storedVersions, ...told };
    if (kind.depth > 0 !== (path.namespace !== null) && !(kind.depth > 0 && path.name === null)) {
      throw unknownPath();
    }
    const answer = await operate(deps, request);
    return verbOf(call.method, path, query) === 'watch'
      ? answer
      : inPreferredType(answer, call.headers.accept);
  });
}

/** The stored versions of the definition that the path names, before anything is done with it. Events of a watch are rendered without them. */
async function storedVersionsOf(
  { catalog }: KubernetesDeps,
  { form }: KubernetesKind,
  { name }: ObjectPath,
  verb: string,
): Promise<StoredVersions | null> {
  if (form !== 'definition' || verb === 'watch') return null;
  const versions = new StoredVersions(catalog);
  if (name !== null) await versions.read([{ name }]);
  return versions;
}

interface ObjectOperation {
  /** Whether the path names no object; null where it may. */
  readonly onCollection: boolean | null;
  run(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer>;
}

const operations: Readonly<Record<string, ObjectOperation>> = {
  get: { onCollection: false, run: getObject },
  list: { onCollection: true, run: listObjects },
  watch: { onCollection: null, run: watchObjects },
  create: { onCollection: true, run: createObject },
  update: { onCollection: false, run: replaceObject },
  patch: { onCollection: false, run: patchObject },
  delete: { onCollection: false, run: deleteObject },
  deletecollection: { onCollection: true, run: deleteCollection },
};

/** The refusal with the places of its faults in the object instead of the resource. */
function withObjectPaths(problem: Problem, kind: KubernetesKind): Problem {
  const { errors, members, allow, retryAfterSeconds } = problem;
  if (errors === undefined) return problem;
  const shown = errors.map((fault) => ({
    ...fault,
    path: objectPointer(fault.path, kind),
    message: problem.code === 'apply_conflict' ? objectConflict(fault.message, kind) : fault.message,
  }));
  return new Problem(problem.code, problem.message, {
    errors: shown,
    members,
    cause: problem,
    ...(allow === undefined ? {} : { allow }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

async function withOtherFaults(
  deps: KubernetesDeps,
  request: ObjectRequest,
  error: unknown,
): Promise<unknown> {
  return error instanceof DuplicateKeys ? await error.withOthers(deps, request) : error;
}

/** Whether discovery names the verb. All namespaces together are listed and watched, and nothing else, as in Kubernetes. */
function isServed(verb: string, { kind, path }: ObjectRequest): boolean {
  const served = servedKind(kind);
  const part =
    path.subresource === null ? served : served.subresources.find((one) => one.name === path.subresource);
  const isEverywhere = kind.depth > 0 && path.namespace === null;
  return (part?.verbs.includes(verb) ?? false) && (!isEverywhere || verb === 'list' || verb === 'watch');
}

/** The operation of a method; null when the path does not have it. */
function operationOf(method: string, request: ObjectRequest): ObjectOperation | null {
  const { path, query } = request;
  const verb = verbOf(method, path, query);
  const operation = Object.hasOwn(operations, verb) ? (operations[verb] ?? null) : null;
  const isHere = operation !== null && [null, path.name === null].includes(operation.onCollection);
  return isHere && isServed(verb, request) ? operation : null;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The function that runs the request. Throws for a path or a method that the kind does not have. */
function handlerOf(request: ObjectRequest): ObjectOperation['run'] {
  const { path, kind } = request;
  const { scale } = kind;
  if (path.subresource === 'scale' && scale !== null) return (deps) => scaleAnswer(deps, request, scale);
  const hasStatus = kind.form === 'resource' || kind.form === 'namespace' || kind.form === 'definition';
  if (path.subresource !== null && !(path.subresource === 'status' && hasStatus)) {
    throw unknownPath();
  }
  const operation = operationOf(request.call.method, request);
  if (operation === null) {
    throw new Problem(
      'method_not_allowed',
      'the server does not allow this method on the requested resource',
      { allow: methods.filter((method) => operationOf(method, request) !== null) },
    );
  }
  return operation.run;
}

async function operate(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const run = handlerOf(request);
  try {
    return await run(deps, request);
  } catch (error) {
    const refusal = await refusalOf(deps, request, await withOtherFaults(deps, request, error));
    if (refusal instanceof NamespaceMissing) request.namespaceMissing();
    throw refusal instanceof Problem ? withObjectPaths(refusal, request.kind) : refusal;
  }
}
