import { Problem, readIfMatch } from '@platform/kernel';
import {
  type CollectionPath,
  type CollectionTarget,
  type DefinitionCatalog,
  type ItemTarget,
  type JsonDocument,
  parseDocument,
  parsePath,
  type ResolvedTarget,
  type ResourcePorts,
  requireAccess,
  resolveTarget,
  type TargetForm,
} from '@platform/resources';
import type { Request } from 'express';
import { answer } from '../../http/answer.ts';
import { isCurrent } from '../../http/conditional.ts';
import { readJsonText } from '../../http/read-body.ts';
import type { RouteFamily } from '../route.ts';
import type { Answer, Call, Operation } from './call.ts';
import { callerOf, refusedActor } from './caller.ts';
import { get, getBlockers, getPendingDeletion, list } from './reads.ts';
import { create, putFinalizers, putStatus, remove, replace } from './writes.ts';

/** The dependencies of the generic API. */
export interface ResourceParts {
  readonly ports: ResourcePorts;
  readonly catalog: DefinitionCatalog;
  /** The ids of `auth.controllers`. */
  readonly controllerIds: readonly string[];
  /** `server.body_limit_bytes`. */
  readonly bodyLimitBytes: number;
}

const prefix = '/api/v1/resources';

type Operations<T extends ResolvedTarget> = Readonly<Record<string, Operation<T>>>;

const collectionOperations: Operations<CollectionTarget> = { GET: list, POST: create };

const itemOperations: Readonly<Record<ItemTarget['form'], Operations<ItemTarget>>> = {
  item: { GET: get, PUT: replace, DELETE: remove },
  status: { PUT: putStatus },
  finalizers: { PUT: putFinalizers },
  deletionBlockers: { GET: getBlockers },
};

/** The metric label of each form. Labels do not name kinds, so their number stays the same. */
const templates: Readonly<Record<TargetForm, string>> = {
  pendingDeletion: `${prefix}/pending-deletion`,
  collection: `${prefix}/{collection}`,
  item: `${prefix}/{item}`,
  status: `${prefix}/{item}/status`,
  finalizers: `${prefix}/{item}/finalizers`,
  deletionBlockers: `${prefix}/{item}/deletion-blockers`,
};

/**
 * The generic resource API. Checks run in the order that docs/http.md lists under "Order of checks": the middleware has answered 401 and
 * 403 before; then path syntax, collection, method, the caller's rights, and last the resource with its body.
 */
export function resourceFamily(parts: ResourceParts): RouteFamily {
  return {
    prefix,
    access: 'platform',
    async handle(request, response) {
      const path = parsePath(request.exchange.path.slice(prefix.length + 1));
      const call = callOf(parts, request);
      const { status, text, headers } = await (path.form === 'pendingDeletion'
        ? pendingDeletion(call, request)
        : operate(parts.catalog, call, request, path));
      // Answers may depend on a session cookie: shared caches must not store them, and browsers must revalidate.
      response.setHeader('Cache-Control', 'private, no-cache');
      if (isCurrent(request, headers?.['ETag'])) response.writeHead(304, headers).end();
      else answer(response, status, text, headers);
    },
    refused(request, problem) {
      parts.ports.audit.record({
        message: 'resource.access_denied',
        requestId: request.exchange.id,
        actor: refusedActor(request.exchange.principal),
        details: { method: request.method, path: request.exchange.path, code: problem.code },
      });
    },
  };
}

function callOf(parts: ResourceParts, request: Request): Call {
  const { id: requestId, path, query, principal } = request.exchange;
  let document: Promise<JsonDocument> | undefined;
  return {
    ports: parts.ports,
    caller: callerOf(principal),
    requestId,
    path,
    query: () => new URLSearchParams(query),
    controllerIds: parts.controllerIds,
    precondition: () => readIfMatch(request.headers['if-match']),
    body() {
      document ??= readJsonText(request, parts.bodyLimitBytes).then(parseDocument);
      return document;
    },
  };
}

async function pendingDeletion(call: Call, request: Request): Promise<Answer> {
  request.exchange.route = templates.pendingDeletion;
  requireMethod(['GET'], request);
  requireAccess(call.caller, 'pendingDeletion', null);
  return await getPendingDeletion(call);
}

function operate(
  catalog: DefinitionCatalog,
  call: Call,
  request: Request,
  path: CollectionPath,
): Promise<Answer> {
  return catalog.resolve(path.group, path.plural, (view) => {
    const target = resolveTarget(path, view.collection);
    request.exchange.route = templates[target.form];
    return target.form === 'collection'
      ? run(collectionOperations, call, target, request)
      : run(itemOperations[target.form], call, target, request);
  });
}

async function run<T extends ResolvedTarget>(
  operations: Operations<T>,
  call: Call,
  target: T,
  request: Request,
): Promise<Answer> {
  const method = requireMethod(Object.keys(operations), request);
  requireAccess(call.caller, target.form, target.collection);
  return await (operations[method] as Operation<T>)(call, target);
}

/** The method, when it is one of `allow`; else 405 with those. HEAD is GET; Node leaves the body out (RFC 9110, section 9.3.2). */
function requireMethod(allow: readonly string[], request: Request): string {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (allow.includes(method)) return method;
  throw new Problem('method_not_allowed', `${method} is not valid here; valid: ${allow.join(', ')}.`, {
    allow,
  });
}
