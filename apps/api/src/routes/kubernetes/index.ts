import { Problem } from '@platform/kernel';
import { type RequestedObject, rendererOf } from '@platform/kubernetes';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { recordRefusal } from '../resources/index.ts';
import { discoveryAnswer, versionAnswer } from './discovery.ts';
import { isWatch, type KubernetesDeps, type ObjectRequest, requestedBy } from './object-request.ts';
import { kubernetesPrefix, type ObjectPath, parseKubernetesPath } from './path.ts';
import { getObject, listObjects } from './reads.ts';
import { statusAnswer } from './refusal.ts';
import { representationOf } from './representation.ts';

/** Paths that probes and clients ask without a credential, as in Kubernetes. */
const openPaths = new Set(['version', 'healthz', 'readyz', 'livez']);

/** The Kubernetes API: requests are translated to those of the resource API and back. */
export function kubernetesFamily(deps: KubernetesDeps): EndpointFamily {
  const requested = new WeakMap<Call, RequestedObject>();
  return {
    prefix: kubernetesPrefix,
    access: (call) => (isOpen(call) ? 'public' : 'authenticated'),
    async handle(call) {
      const answer = await route(deps, call, requested);
      return { ...answer, headers: { 'Cache-Control': 'no-cache, private', ...answer.headers } };
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

async function route(
  deps: KubernetesDeps,
  call: Call,
  requested: WeakMap<Call, RequestedObject>,
): Promise<Answer> {
  const path = parseKubernetesPath(below(call));
  if (path === null) throw new Problem('malformed_path', 'the path is not percent-encoded UTF-8');
  if (path.type === 'object') {
    const query = call.searchParams;
    requested.set(call, requestedBy(path.object, call.method, query));
    return await objectAnswer(deps, call, path.object, query, requested);
  }
  const [root = ''] = path.segments;
  requireRead(call);
  if (root === 'version') return versionAnswer(deps);
  if (openPaths.has(root)) return { status: 200, body: 'ok', contentType: 'text/plain; charset=utf-8' };
  if (root === 'api' || root === 'apis') return await discoveryAnswer(deps, call, path.segments);
  throw new Problem('unknown_endpoint', 'the server could not find the requested resource');
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
  return await deps.directory.resolve(path, async ({ kind, schemas }) => {
    requested.set(call, { ...requestedBy(path, call.method, query), kind: kind.kind });
    const renderer = rendererOf(kind, representationOf(call.headers.accept, query), () => deps.clock.now());
    const request: ObjectRequest = { call, kind, schemas, path, query, renderer };
    if (kind.depth > 0 !== (path.namespace !== null) && !(kind.depth > 0 && path.name === null)) {
      throw new Problem('unknown_endpoint', 'the server could not find the requested resource');
    }
    return await operate(deps, request);
  });
}

async function operate(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const { call, path, query } = request;
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  if (isRead && !isWatch(query)) {
    return path.name === null ? await listObjects(deps, request) : await getObject(deps, request);
  }
  throw new Problem('method_not_allowed', 'the server does not allow this method on the requested resource');
}
