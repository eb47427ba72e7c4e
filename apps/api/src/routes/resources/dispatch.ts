import { Problem } from '@platform/kernel';
import {
  accessDenied,
  type Caller,
  type CollectionPath,
  type CollectionTarget,
  type DefinitionCatalog,
  type ItemTarget,
  isAcrossParents,
  needsNoBinding,
  parsePath,
  type RequireUse,
  type ResolvedTarget,
  refusalOfPath,
  requireAnyBinding,
  requireMayRestore,
  requireSomeRule,
  requireSomeUse,
  resolveTarget,
  runBound,
  segmentOf,
  selectableFields,
  selectedName,
  type TargetForm,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { requireKnown } from '../../endpoint/query.ts';
import type { ResourceCall } from './call.ts';
import { getDeletionPlan } from './deletion-plan.ts';
import { definitionsPath, definitionsRequest, discovery, kindsPage } from './discovery.ts';
import { explain } from './explain.ts';
import { history } from './history.ts';
import { queryOf, type ResourceOperation } from './operation.ts';
import { patch, patchStatusSlot } from './patches.ts';
import { get, getBlockers, list, pendingDeletion } from './reads.ts';
import { restore } from './restore.ts';
import { dryRunHeader, mentionsDryRun, runWrite } from './run-write.ts';
import { create, putFinalizers, putStatus, remove, replace } from './writes.ts';

/** The paths of the generic API begin with it. */
export const prefix = '/api/v1/resources';

/** Every operation, by the form of its path and its method. */
const collectionOperations = byForm<CollectionTarget>([list, create]);
/** A list across parents is no place to create in. */
const acrossOperations = byForm<CollectionTarget>([list]);
const itemOperations = byForm<ItemTarget>([
  get,
  replace,
  patch,
  remove,
  putStatus,
  patchStatusSlot,
  putFinalizers,
  getBlockers,
  explain,
  getDeletionPlan,
  history,
  restore,
]);

const discoveryOperations = new Map([[discovery.method, discovery]]);
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
  explain: `${prefix}/{item}/explain`,
  history: `${prefix}/{item}/history`,
  restore: `${prefix}/{item}/restore`,
  deletionPlan: `${prefix}/{item}/deletion-plan`,
};

/**
 * Runs the operation that a request names. Checks run in the order that docs/http.md lists under "Order of checks": path syntax,
 * collection, method, the caller's rights, and last the resource with its body. Users and service accounts get these answers only
 * inside of what bindings grant them, and the same 403 everywhere else.
 */
export async function dispatch(catalog: DefinitionCatalog, request: ResourceCall): Promise<Answer> {
  const { caller } = request;
  // Before the first refusal, which says so as well; whether the operation has dry runs is decided later.
  if (methodOf(request) !== 'GET' && mentionsDryRun(request)) request.setHeaders(dryRunHeader);
  requireAnyBinding(caller);
  if (request.path === prefix) return await discover(catalog, request);
  const path = withRefusal(
    () => parsePath(request.path.slice(prefix.length + 1)),
    (refusal) => refusalOfPath(caller, null, refusal),
  );
  return path.form === 'pendingDeletion' ? await listPending(request) : await operate(catalog, request, path);
}

/** Lists the kinds, with the pages and refusals of a list of their definitions; for every caller that some binding names. */
async function discover(catalog: DefinitionCatalog, request: ResourceCall): Promise<Answer> {
  requireMethod(discoveryOperations, request);
  requireKnown(discovery.query, request.rawQuery);
  return kindsPage(await operate(catalog, definitionsRequest(request), definitionsPath), request);
}

async function listPending(request: ResourceCall): Promise<Answer> {
  request.matched(templates.pendingDeletion);
  // Users and service accounts must not learn more of it than of any other path.
  if (request.caller.type !== 'controller') requireMayListPending(request.caller);
  requireMethod(pendingOperations, request);
  requireMayListPending(request.caller);
  requireKnown(pendingDeletion.query, request.rawQuery);
  return await pendingDeletion.run(request);
}

function requireMayListPending(caller: Caller): void {
  if (!needsNoBinding(caller, 'pendingDeletion', null)) throw accessDenied(caller);
}

function operate(catalog: DefinitionCatalog, request: ResourceCall, path: CollectionPath): Promise<Answer> {
  const { caller } = request;
  requireSomeRule(caller, path);
  return catalog.resolve(path.group, path.plural, (view) => {
    const target = withRefusal(
      () => resolveTarget(path, view.collection, request.translation !== undefined),
      (refusal) => refusalOfPath(caller, path, refusal),
    );
    request.matched(templates[target.form]);
    return target.form === 'collection'
      ? runAuthorized(
          isAcrossParents(target.ref) ? acrossOperations : collectionOperations,
          request,
          withSelectedName(target, request),
        )
      : runAuthorized(itemOperations, request, target);
  });
}

/** Rules with `resourceNames` cover a list or a stream of one of these names, as in Kubernetes. */
function withSelectedName(target: CollectionTarget, request: ResourceCall): CollectionTarget {
  if (request.rawQuery === '' || methodOf(request) !== 'GET') return target;
  const [selector = '', ...more] = request.query().getAll('fieldSelector');
  if (selector === '' || more.length > 0) return target;
  const { collection, version } = target;
  return { ...target, selectedName: selectedName(selector, selectableFields(collection, version)) };
}

function withRefusal<T>(resolve: () => T, refusalOf: (error: unknown) => unknown): T {
  try {
    return resolve();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Authorizes the caller for the operation of the method, and runs it. */
async function runAuthorized<T extends ResolvedTarget>(
  operations: ReadonlyMap<TargetForm, Operations<T>>,
  request: ResourceCall,
  target: T,
): Promise<Answer> {
  const { caller, ports } = request;
  const here = operations.get(target.form) as Operations<T>;
  if (!here.has(methodOf(request))) await requireSomeUse(ports.reader, caller, target);
  const operation = requireMethod(here, request);
  const isRead = operation.method === 'GET';
  if (needsNoBinding(caller, target.form, target.collection, isRead ? 'read' : 'write')) {
    return await run(operation, request, target);
  }
  if (operation.verb === 'restore' && target.form !== 'collection') {
    await requireMayRestore(ports, caller, target);
    return await run(operation, request, target);
  }
  const use = {
    verb: typeof operation.verb === 'function' ? operation.verb(request) : operation.verb,
    subresource: request.translation?.subresource ?? segmentOf(target.form),
    comparesGuard: comparesGuard(operation, request, target) && request.onlyAuthorize === undefined,
  };
  return await runBound(
    ports,
    { caller, target, use, body: () => newDocument(request) },
    (guarded, requireUse) => run(operation, request, guarded, requireUse),
  );
}

/** The document of a create or a server-side apply; null for other patches. */
async function newDocument(request: ResourceCall): Promise<{ readonly value: unknown } | null> {
  if (request.method !== 'PATCH') return await request.body();
  const patch = await request.patch();
  return patch.format === 'apply' ? { value: JSON.parse(patch.document) } : null;
}

async function run<T extends ResolvedTarget>(
  operation: ResourceOperation<T>,
  request: ResourceCall,
  target: T,
  requireUse?: RequireUse,
): Promise<Answer> {
  if (request.rawQuery !== '') requireKnown(queryOf(operation), request.rawQuery);
  if (operation.method === 'GET') return await operation.run(request, target);
  return await runWrite(operation, request, target, requireUse);
}

function comparesGuard<T extends ResolvedTarget>(
  { comparesGuard: compares }: ResourceOperation<T>,
  request: ResourceCall,
  target: T,
): boolean {
  return typeof compares === 'function' ? compares(request, target) : compares === true;
}

/** The operation of the method; else 405 with those that exist. HEAD is GET; Node leaves the body out (RFC 9110, section 9.3.2). */
function requireMethod<Operation>(
  operations: ReadonlyMap<string, Operation>,
  request: Pick<ResourceCall, 'method'>,
): Operation {
  const method = methodOf(request);
  const operation = operations.get(method);
  if (operation !== undefined) return operation;
  const allow = [...operations.keys()];
  throw new Problem('method_not_allowed', `${method} is not valid here; valid: ${allow.join(', ')}.`, {
    allow,
  });
}

function methodOf({ method }: Pick<ResourceCall, 'method'>): string {
  return method === 'HEAD' ? 'GET' : method;
}
