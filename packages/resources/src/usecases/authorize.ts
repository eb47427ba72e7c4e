import { type AccessVerb, type Grant, grantsOf, StaleAccess } from '@platform/access';
import { Problem } from '@platform/kernel';
import { type AccessGuard, admits, guardOf, isUnrestricted } from '../model/access-guard.ts';
import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import { parseUid } from '../model/names.ts';
import { type CollectionTarget, type ItemTarget, nameIn, type ResolvedTarget } from '../model/target.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import { accessDenied } from '../rules/access.ts';
import { accessOf, isRoleBindings, needsNoBinding, withGuard } from './caller-access.ts';
import { requireHistory } from './history.ts';
import { admitsTarget, type GuardedRequest, requireReachable } from './reachable.ts';
import type { ResourcePorts } from './request.ts';
import { visiblePart, watchable } from './watchable.ts';

/** The use of a target, as rules name it. */
export interface AccessUse {
  readonly verb: AccessVerb;
  /** The subresource in the path, e.g. `status`; null for the collection and the item. */
  readonly subresource: string | null;
  /** Whether the statements of the operation find rows by the reference of the target and nothing else, so that they compare its guard. */
  readonly comparesGuard: boolean;
}

/** A request of a caller whose access depends on bindings. */
export interface BoundRequest<T extends ResolvedTarget> {
  readonly caller: Caller;
  readonly target: T;
  readonly use: AccessUse;
  /** The parsed body of a create or a server-side apply, for the scope of a new RoleBinding; null for other patches. */
  readonly body: () => Promise<{ readonly value: unknown } | null>;
}

/** Throws the uniform 403 unless the caller may use the target, read with this reader. */
export type RequireUse = (reader: ResourceReader) => Promise<void>;

/**
 * Runs an operation of a caller whose access depends on bindings. The guard of the target lets its statements find only the rows that
 * the caller may use. A refusal is answered as it is only when the caller may use the target; otherwise it is the uniform 403, so that
 * existing and missing resources look the same.
 *
 * Attack: somebody without access to a resource tells from 404, 409 or 400 whether it exists, and from its schema what it looks like.
 */
export async function runBound<T extends ResolvedTarget, A>(
  ports: Pick<ResourcePorts, 'reader' | 'history'>,
  { caller, target, use, body }: BoundRequest<T>,
  run: (target: T, requireUse: RequireUse) => Promise<A>,
): Promise<A> {
  const { reader } = ports;
  const { collection } = target;
  const { version, bindings } = accessOf(caller);
  // Rows of a kind without a definition are for operators: no rule can name the kind.
  if (collection === null) throw accessDenied(caller);
  const { group, plural } = collection;
  const resource = use.subresource === null ? plural : `${plural}/${use.subresource}`;
  const grants = grantsOf(bindings, { verb: use.verb, group, resource, name: nameIn(target) });
  if (grants.length === 0) throw accessDenied(caller);
  const guard = guardOf(version, grants);
  const request = { caller, target, guard };
  const requireUse = useCheck(ports, request, collection, use, body);
  const isList = use.verb === 'list' && target.form === 'collection';
  if (use.verb === 'watch') return await run(await watchable(reader, request), requireUse);
  // The statements of removed resources leave out what is not in the scopes of the guard.
  if (isList && !use.comparesGuard) return await run(await visiblePart(reader, request), requireUse);
  if (!use.comparesGuard) await requireUse(reader);
  // A binding is compared with its scope, by the strategy of the kind, in the transaction that creates it.
  const isNewBinding = use.verb === 'create' && isRoleBindings(collection);
  const guarded = withGuard(
    target,
    isNewBinding ? { version, entries: [{ scope: null, name: null }] } : guard,
  );
  try {
    return await run(guarded, requireUse);
  } catch (error) {
    if (error instanceof Problem && error.status < 500) await requireUse(reader);
    throw error;
  }
}

/** How the use of the target is checked. */
function useCheck(
  ports: Pick<ResourcePorts, 'reader' | 'history'>,
  request: GuardedRequest,
  collection: Collection,
  { verb, comparesGuard }: AccessUse,
  body: BoundRequest<ResolvedTarget>['body'],
): RequireUse {
  const { caller, target, guard } = request;
  if (isRoleBindings(collection)) {
    if (verb === 'create') return (reader) => requireScope(reader, guard, caller, body);
    if (verb === 'patch') return (reader) => requirePatchable(reader, request, collection, body);
  }
  if (target.form === 'collection' && verb === 'list')
    return async (reader) => {
      await visiblePart(reader, { caller, target, guard });
    };
  if (target.form === 'history')
    return (reader) =>
      requireHistory({ ...ports, reader }, { caller, target: withGuard(target, guard), guard });
  // Without a guard in its statements, an operation cannot leave out rows of a root collection.
  return (reader) => requireReachable(reader, request, comparesGuard ? verb : 'watch');
}

/** A server-side apply of an item that does not exist: it is created in `target`. */
export interface CreatingApply {
  readonly caller: Caller;
  readonly item: ItemTarget;
  readonly target: CollectionTarget;
  readonly body: BoundRequest<ItemTarget>['body'];
}

/**
 * The collection that a server-side apply of `item` creates it in, with the guard of the caller. Throws the uniform 403 unless the caller may
 * patch the item, where it would be, and create it there.
 *
 * Attack: somebody who may patch one resource and create others applies one elsewhere, where no statement finds a row to compare.
 */
export async function guardedForCreate(
  reader: ResourceReader,
  { caller, item, target, body }: CreatingApply,
): Promise<CollectionTarget> {
  const { collection } = target;
  if (needsNoBinding(caller, 'collection', collection)) return target;
  const toPatch = item.ref.by === 'unregistered' ? undefined : item.ref.access;
  if (toPatch !== undefined && isRoleBindings(collection)) await requireScope(reader, toPatch, caller, body);
  else if (toPatch !== undefined && !isUnrestricted(toPatch))
    await requireReachable(reader, { caller, target: item, guard: toPatch }, 'patch');
  const { version } = accessOf(caller);
  const grants = createGrants(caller, collection);
  if (grants.length === 0) throw accessDenied(caller);
  if (isRoleBindings(collection))
    return withGuard(target, { version, entries: [{ scope: null, name: null }] });
  const guard = guardOf(version, grants);
  await requireReachable(reader, { caller, target, guard }, 'create');
  return withGuard(target, guard);
}

/**
 * As {@link requireReachable}, for the patch of a RoleBinding: also while there is none and the caller may patch and create it in the scope
 * that the body of a server-side apply has. Its refusal is then that of a create.
 */
async function requirePatchable(
  reader: ResourceReader,
  request: GuardedRequest,
  collection: Collection,
  body: BoundRequest<ResolvedTarget>['body'],
): Promise<void> {
  const { caller, target, guard } = request;
  const reach = await reader.reach(target.ref);
  if (reach.version !== guard.version) throw new StaleAccess();
  if (await admitsTarget(reader, request, reach, 'patch')) return;
  const toCreate = createGrants(caller, collection);
  if (reach.item !== null || toCreate.length === 0) throw accessDenied(caller);
  await requireScope(reader, guard, caller, body);
  await requireScope(reader, guardOf(guard.version, toCreate), caller, body);
}

/** The grants that let the caller create resources of the kind. */
function createGrants(caller: Caller, { group, plural }: Collection): readonly Grant[] {
  return grantsOf(accessOf(caller).bindings, { verb: 'create', group, resource: plural, name: null });
}

/** As {@link requireReachable}, for a RoleBinding that is to be created: it is authorized in its scope. */
async function requireScope(
  reader: ResourceReader,
  guard: AccessGuard,
  caller: Caller,
  body: BoundRequest<ResolvedTarget>['body'],
): Promise<void> {
  if (isUnrestricted(guard)) return;
  const uid = scopeIn(
    await body().then(
      (document) => document?.value,
      () => null,
    ),
  );
  const [place] = uid === null ? [] : await reader.places([uid]);
  if (place === undefined || !admits(guard, { ...place, name: '' })) throw accessDenied(caller);
}

/** The uid of the scope in the body of a RoleBinding, or null. */
function scopeIn(body: unknown): string | null {
  const spec = memberOf(body, 'spec');
  const uid = memberOf(memberOf(spec, 'scope'), 'uid');
  return typeof uid === 'string' ? parseUid(uid) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
