import { Problem } from '@platform/kernel';
import type { RateLimiter } from '@platform/oauth-proxy';
import {
  type CollectionPath,
  type CollectionTarget,
  type DefinitionCatalog,
  type ItemTarget,
  type JsonDocument,
  maxUserAgent,
  parseDocument,
  parsePath,
  parseReason,
  type RequestOrigin,
  type ResolvedTarget,
  type ResourcePorts,
  requireAccess,
  resolveTarget,
  type TargetForm,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { requireKnown } from '../../endpoint/query.ts';
import { type PatchBody, patchTypes, type ResourceCall } from './call.ts';
import { callerOf, refusedActor } from './caller.ts';
import type { ResourceOperation } from './operation.ts';
import { patch, patchStatusSlot } from './patches.ts';
import { get, getBlockers, list, pendingDeletion } from './reads.ts';
import { create, putFinalizers, putStatus, remove, replace } from './writes.ts';

/** The dependencies of the generic API. */
export interface ResourceDeps {
  readonly ports: ResourcePorts;
  readonly catalog: DefinitionCatalog;
  /** The ids of `auth.controllers`. */
  readonly controllerIds: readonly string[];
  /** `server.body_limit_bytes`. */
  readonly bodyLimitBytes: number;
  /** How many refusals of anonymous callers are recorded for each address. */
  readonly anonymousRefusals: RateLimiter;
}

/** Characters of a path in a record. */
const maxPathLength = 512;

const prefix = '/api/v1/resources';

/** Every operation, by the form of its path and its method. */
const collectionOperations = byForm<CollectionTarget>([list, create]);
const itemOperations = byForm<ItemTarget>([
  get,
  replace,
  patch,
  remove,
  putStatus,
  patchStatusSlot,
  putFinalizers,
  getBlockers,
]);

const pendingOperations = new Map([[pendingDeletion.method, pendingDeletion]]);

type Operations<T extends ResolvedTarget> = ReadonlyMap<string, ResourceOperation<T>>;

function byForm<T extends ResolvedTarget>(
  operations: readonly ResourceOperation<T>[],
): ReadonlyMap<TargetForm, Operations<T>> {
  const forms = [...new Set(operations.map(({ form }) => form))];
  return new Map(
    forms.map((form) => [
      form,
      new Map(operations.filter((one) => one.form === form).map((one) => [one.method, one])),
    ]),
  );
}

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
export function resourceFamily(deps: ResourceDeps): EndpointFamily {
  return {
    prefix,
    access: 'platform',
    async handle(call) {
      const path = parsePath(call.path.slice(prefix.length + 1));
      const request = resourceCall(deps, call);
      const answer = await (path.form === 'pendingDeletion'
        ? listPending(request, call)
        : operate(deps.catalog, request, call, path));
      // Answers may depend on a session cookie: shared caches must not store them, and browsers must revalidate.
      return { ...answer, headers: { 'Cache-Control': 'private, no-cache', ...answer.headers } };
    },
    // Attack: anybody can send refused requests, of 30 KB each, until the disk that keeps the audit lines is full.
    refused(call, problem) {
      const { principal } = call.context;
      const origin = { extension: prefix, address: call.address };
      if (principal === null && !deps.anonymousRefusals.take(origin).allowed) return;
      deps.ports.audit.record({
        message: 'resource.access_denied',
        requestId: call.id,
        actor: refusedActor(principal),
        details: { method: call.method, path: call.path.slice(0, maxPathLength), code: problem.code },
      });
    },
  };
}

function resourceCall(deps: ResourceDeps, call: Call): ResourceCall {
  let document: Promise<JsonDocument> | undefined;
  let patchBody: Promise<PatchBody> | undefined;
  return {
    bodyLimitBytes: deps.bodyLimitBytes,
    ports: deps.ports,
    caller: callerOf(call.context.principal),
    requestId: call.id,
    path: call.path,
    query: () => call.searchParams,
    controllerIds: deps.controllerIds,
    precondition: () => call.ifMatch,
    origin: () => originOf(call),
    body() {
      document ??= call.jsonText(deps.bodyLimitBytes).then(parseDocument);
      return document;
    },
    patch() {
      patchBody ??= readPatchBody(call, deps.bodyLimitBytes);
      return patchBody;
    },
  };
}

/** A media type that no patch has is answered with those that exist (RFC 5789, section 2.2). */
async function readPatchBody(call: Call, limit: number): Promise<PatchBody> {
  try {
    const { mediaType, text } = await call.typedText(Object.values(patchTypes), limit);
    parseDocument(text);
    return { format: mediaType === patchTypes.json ? 'json' : 'merge', document: text };
  } catch (error) {
    if (error instanceof Problem && error.code === 'unsupported_media_type') {
      call.setHeaders({ 'Accept-Patch': Object.values(patchTypes).join(', ') });
    }
    throw error;
  }
}

/** Where a write comes from, for the change log. */
function originOf(call: Call): RequestOrigin {
  return {
    reason: parseReason(call.changeReason),
    sourceAddress: call.address || null,
    userAgent: call.headers['user-agent']?.slice(0, maxUserAgent) ?? null,
  };
}

async function listPending(request: ResourceCall, call: Call): Promise<Answer> {
  call.context.route = templates.pendingDeletion;
  requireMethod(pendingOperations, call);
  requireAccess(request.caller, 'pendingDeletion', null);
  requireKnown(pendingDeletion.query, call.rawQuery);
  return await pendingDeletion.run(request);
}

function operate(
  catalog: DefinitionCatalog,
  request: ResourceCall,
  call: Call,
  path: CollectionPath,
): Promise<Answer> {
  return catalog.resolve(path.group, path.plural, (view) => {
    const target = resolveTarget(path, view.collection);
    call.context.route = templates[target.form];
    return target.form === 'collection'
      ? run(collectionOperations, request, target, call)
      : run(itemOperations, request, target, call);
  });
}

async function run<T extends ResolvedTarget>(
  operations: ReadonlyMap<TargetForm, Operations<T>>,
  request: ResourceCall,
  target: T,
  call: Call,
): Promise<Answer> {
  const operation = requireMethod(operations.get(target.form) as Operations<T>, call);
  requireAccess(request.caller, target.form, target.collection);
  requireKnown(operation.query, call.rawQuery);
  return await operation.run(request, target);
}

/** The operation of the method; else 405 with those that exist. HEAD is GET; Node leaves the body out (RFC 9110, section 9.3.2). */
function requireMethod<Operation>(operations: ReadonlyMap<string, Operation>, call: Call): Operation {
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const operation = operations.get(method);
  if (operation !== undefined) return operation;
  const allow = [...operations.keys()];
  throw new Problem('method_not_allowed', `${method} is not valid here; valid: ${allow.join(', ')}.`, {
    allow,
  });
}
