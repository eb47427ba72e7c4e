import { readIfMatch } from '@platform/kernel';
import {
  type DefinitionCatalog,
  type JsonDocument,
  locate,
  type ParsedPath,
  parseDocument,
  parsePath,
  type ResourcePorts,
  requireAccess,
  requireMethod,
  type TargetForm,
} from '@platform/resources';
import type { Request } from 'express';
import { answer } from '../../http/answer.ts';
import { isCurrent } from '../../http/conditional.ts';
import { readJsonText } from '../../http/read-body.ts';
import type { RouteFamily } from '../route.ts';
import type { Answer, Operation } from './call.ts';
import { callerOf, refusedActor } from './caller.ts';
import { putFinalizers } from './change-finalizers.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { getBlockers } from './explain-blockers.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { getPendingDeletion } from './list-pending-deletion.ts';
import { replace } from './replace.ts';
import { putStatus } from './replace-status.ts';

/** What the generic API is made of. */
export interface ResourceParts {
  readonly ports: ResourcePorts;
  readonly catalog: DefinitionCatalog;
  /** The ids of `auth.controllers`. */
  readonly controllerIds: readonly string[];
  /** `server.body_limit_bytes`. */
  readonly bodyLimitBytes: number;
}

const prefix = '/api/v1/resources';

/** What each method of each form does; which methods a form has is decided by `requireMethod`. */
const operations: Readonly<
  Record<Exclude<TargetForm, 'pendingDeletion'>, Readonly<Record<string, Operation>>>
> = {
  collection: { GET: list, POST: create },
  item: { GET: get, PUT: replace, DELETE: remove },
  status: { PUT: putStatus },
  finalizers: { PUT: putFinalizers },
  deletionBlockers: { GET: getBlockers },
};

/** The metric label of each form: whatever kinds there are, the labels stay these. */
const templates: Readonly<Record<TargetForm, string>> = {
  pendingDeletion: `${prefix}/pending-deletion`,
  collection: `${prefix}/{collection}`,
  item: `${prefix}/{item}`,
  status: `${prefix}/{item}/status`,
  finalizers: `${prefix}/{item}/finalizers`,
  deletionBlockers: `${prefix}/{item}/deletion-blockers`,
};

/**
 * The generic resource API. What is decided, and in which order: contract 2, "Decisions". The gate has answered 401 and 403
 * before; then path syntax, collection, method, a controller's rights, and last the resource with its body.
 */
export function resourceFamily(parts: ResourceParts): RouteFamily {
  return {
    prefix,
    access: 'platform',
    async handle(request, response) {
      const path = parsePath(request.exchange.path.slice(prefix.length + 1));
      const { status, text, headers } = await (path.form === 'pendingDeletion'
        ? pendingDeletion(parts, request)
        : operate(parts, request, path));
      // A session cookie may authenticate: no shared cache, and no private one without asking.
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

async function pendingDeletion(parts: ResourceParts, request: Request): Promise<Answer> {
  const { id: requestId, principal, query } = request.exchange;
  request.exchange.route = templates.pendingDeletion;
  requireMethod('pendingDeletion', methodOf(request));
  const caller = callerOf(principal);
  requireAccess(caller, 'pendingDeletion', null);
  return await getPendingDeletion(parts.ports, { caller, requestId, query: new URLSearchParams(query) });
}

function operate(
  parts: ResourceParts,
  request: Request,
  path: Exclude<ParsedPath, { form: 'pendingDeletion' }>,
): Promise<Answer> {
  const { exchange } = request;
  const caller = callerOf(exchange.principal);
  const method = methodOf(request);
  let document: Promise<JsonDocument> | undefined;
  const body = () => {
    document ??= readJsonText(request, parts.bodyLimitBytes).then(parseDocument);
    return document;
  };
  return parts.catalog.resolve(path.group, path.plural, (view): Promise<Answer> => {
    const located = locate(path, view, method);
    exchange.route = templates[located.target.form];
    requireAccess(caller, located.target.form, located.collection);
    const operation = operations[located.target.form][method] as Operation;
    return operation({
      ports: parts.ports,
      caller,
      requestId: exchange.id,
      located,
      path: exchange.path,
      query: () => new URLSearchParams(exchange.query),
      controllerIds: parts.controllerIds,
      precondition: () => readIfMatch(request.headers['if-match']),
      body,
    });
  });
}

/** HEAD is GET without the body, which Node leaves out by itself (RFC 9110, section 9.3.2). */
function methodOf(request: Request): string {
  return request.method === 'HEAD' ? 'GET' : request.method;
}
