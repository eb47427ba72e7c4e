import {
  type AccessVerb,
  type EffectiveBinding,
  grantsOf,
  grantsOnKind,
  StaleAccess,
  seesEveryKind,
  seesKind,
  usesKind,
} from '@platform/access';
import { Problem } from '@platform/kernel';
import { roleBindings } from '../kinds/role-binding.ts';
import type { Use } from '../kinds/strategy.ts';
import { strategyOf } from '../kinds/table.ts';
import { type AccessGuard, admits, guardOf, isUnrestricted, scopesOf } from '../model/access-guard.ts';
import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import { parseUid } from '../model/names.ts';
import { anyName } from '../model/selection.ts';
import type {
  CollectionRef,
  CollectionTarget,
  ItemTarget,
  ResolvedTarget,
  TargetForm,
} from '../model/target.ts';
import type { Reach, ResourceReader } from '../ports/resource-reader.ts';
import { accessDenied } from '../rules/access.ts';
import { inPresentScopes } from './visibility.ts';

/** The use of a target, as rules name it. */
export interface AccessUse {
  readonly verb: AccessVerb;
  /** The subresource in the path, e.g. `status`; null for the collection and the item. */
  readonly subresource: string | null;
  /** Whether the statements of the operation find rows by the reference of the target and nothing else, so that they compare its guard. */
  readonly comparesGuard: boolean;
}

/** Whether the caller may use a form of path of a kind whatever bindings say: operators, and controllers that the kind lists. */
export function isUnbound(
  caller: Caller,
  form: TargetForm,
  collection: Collection | null,
  use: Use = 'write',
): boolean {
  if (collection === null) return caller.type === 'operator';
  return strategyOf(collection).allows(caller, form, collection, use);
}

/**
 * Runs an operation of a caller whose access depends on bindings. The guard of the target lets its statements find only the rows that
 * the caller may use. A refusal is answered as it is only when the caller may use the target; otherwise it is the uniform 403, so that
 * existing and missing resources look the same.
 *
 * Attack: somebody without access to a resource tells from 404, 409 or 400 whether it exists, and from its schema what it looks like.
 */
export async function runBound<T extends ResolvedTarget, A>(
  reader: ResourceReader,
  { caller, target, use, body }: BoundRequest<T>,
  run: (target: T) => Promise<A>,
): Promise<A> {
  const { collection } = target;
  const { version, bindings } = accessOf(caller);
  // Rows of a kind without a definition are for operators: no rule can name the kind.
  if (collection === null) throw accessDenied(caller);
  const { group, plural } = collection;
  const resource = use.subresource === null ? plural : `${plural}/${use.subresource}`;
  const grants = grantsOf(bindings, { verb: use.verb, group, resource, name: nameIn(target) });
  if (grants.length === 0) throw accessDenied(caller);
  const guard = guardOf(version, grants);
  const isNewBinding = use.verb === 'create' && isRoleBindings(collection);
  // Without a guard in its statements, an operation cannot leave out rows of a root collection.
  const requireReach = () =>
    isNewBinding
      ? requireScope(reader, guard, caller, body)
      : requireReachable(reader, guard, caller, target, use.comparesGuard ? use.verb : 'watch');
  // A binding is compared with its scope, by the strategy of the kind, in the transaction that creates it.
  const guarded = withGuard(
    target,
    isNewBinding ? { version, entries: [{ scope: null, name: null }] } : guard,
  );
  if (use.verb === 'watch') return await run(await watchable(reader, guard, caller, target));
  // The statements of selections and of removed resources leave out what is not in the scopes of the guard.
  if (use.verb === 'list' && !use.comparesGuard && target.form === 'collection')
    return await run(await visiblePart(reader, guard, caller, target));
  if (!use.comparesGuard) await requireReach();
  try {
    return await run(guarded);
  } catch (error) {
    if (error instanceof Problem && error.status < 500) await requireReach();
    throw error;
  }
}

/**
 * The collection that a server-side apply creates an item in, with the guard of the caller. Throws the uniform 403 unless the caller may
 * create there: the verb `patch` is not enough.
 */
export async function guardedForCreate(
  reader: ResourceReader,
  caller: Caller,
  target: CollectionTarget,
): Promise<CollectionTarget> {
  const { collection } = target;
  if (isUnbound(caller, 'collection', collection)) return target;
  const { version, bindings } = accessOf(caller);
  const { group, plural } = collection;
  const grants = grantsOf(bindings, { verb: 'create', group, resource: plural, name: null });
  if (grants.length === 0) throw accessDenied(caller);
  if (isRoleBindings(collection))
    return withGuard(target, { version, entries: [{ scope: null, name: null }] });
  const guard = guardOf(version, grants);
  await requireReachable(reader, guard, caller, target, 'create');
  return withGuard(target, guard);
}

/**
 * Throws the uniform 403 unless bindings let the caller watch the target now: asked again for as long as the stream lasts. Returns the guard
 * of what the caller may see of it; null for everything.
 */
export async function requireWatchable(
  reader: ResourceReader,
  caller: Caller,
  target: ResolvedTarget,
): Promise<AccessGuard | null> {
  if (isUnbound(caller, target.form, target.collection, 'read')) return null;
  if (target.collection === null) throw accessDenied(caller);
  const { version, bindings } = accessOf(caller);
  const { group, plural } = target.collection;
  const grants = grantsOf(bindings, { verb: 'watch', group, resource: plural, name: nameIn(target) });
  if (grants.length === 0) throw accessDenied(caller);
  const { ref } = await watchable(reader, guardOf(version, grants), caller, target);
  return 'access' in ref ? (ref.access ?? null) : null;
}

/**
 * The target of a stream, which follows the log. Everything below a parent in the scope is in the scope. A root collection and one across
 * parents keep the guard, by which the stream leaves out the rest, and so does a RoleBinding, whose scope can change; an item that is its
 * own scope is watched by its uid, because another resource may get its name.
 */
async function watchable<T extends ResolvedTarget>(
  reader: ResourceReader,
  granted: AccessGuard,
  caller: Caller,
  target: T,
): Promise<T> {
  const isOfBindings = target.collection !== null && isRoleBindings(target.collection);
  const guard = isOfBindings
    ? { ...granted, entries: await inPresentScopes(reader, granted.entries) }
    : granted;
  if (isUnrestricted(guard)) {
    await requireReachable(reader, guard, caller, target, 'watch');
    return target;
  }
  if (target.form === 'collection') return await visiblePart(reader, guard, caller, target);
  await requireReachable(reader, guard, caller, target, 'watch');
  if (isOfBindings) return withGuard(target, guard);
  const { item } = await reader.reach(target.ref);
  if (item === null) return target;
  const { uid, group, kind, within } = item;
  const isAbove = guard.entries.some(({ scope }) => scope === null || within.includes(scope));
  return isAbove ? target : { ...target, ref: { by: 'uid', uid, group, kind } };
}

/** The collection, with the guard where the caller may see parts of it only. Throws the uniform 403 when it may see none. */
async function visiblePart<T extends ResolvedTarget>(
  reader: ResourceReader,
  guard: AccessGuard,
  caller: Caller,
  target: T,
): Promise<T> {
  const ref = target.ref as CollectionRef;
  const reach = await reader.reach(ref);
  if (reach.version !== guard.version) throw new StaleAccess();
  const coverage = await coverageOf(reader, guard, reach, ref);
  if (coverage === 'none') throw accessDenied(caller);
  return coverage === 'whole' ? target : withGuard(target, guard);
}

/** How much of a collection a guard lets through: a scope has parts of a root collection, or of one across parents. */
export async function coverageOf(
  reader: Pick<ResourceReader, 'places'>,
  guard: AccessGuard,
  { uids }: Pick<Reach, 'uids'>,
  { ancestors }: CollectionRef,
): Promise<'whole' | 'part' | 'none'> {
  if (isUnrestricted(guard)) return 'whole';
  const any = ancestors.findIndex(({ name }) => name === anyName);
  const above = any === -1 ? ancestors.length : any;
  const scopes = scopesOf(guard);
  if (uids.slice(0, above).some((uid) => scopes.includes(uid))) return 'whole';
  const hasParts = ancestors.length === 0 || any !== -1;
  const places = hasParts && uids.length >= above ? await reader.places(scopes) : [];
  const parent = above === 0 ? null : (uids[above - 1] ?? '');
  return places.some(({ within }) => parent === null || within.includes(parent)) ? 'part' : 'none';
}

/** A request of a caller whose access depends on bindings. */
export interface BoundRequest<T extends ResolvedTarget> {
  readonly caller: Caller;
  readonly target: T;
  readonly use: AccessUse;
  /** The parsed body, for the scope of a new RoleBinding. */
  readonly body: () => Promise<{ readonly value: unknown }>;
}

/**
 * The refusal of a path that could not be resolved, for a caller whose access depends on bindings: the given one if a binding without a
 * scope names the kind, because then the caller may know that there is none.
 */
export function refusalOfPath(
  caller: Caller,
  kind: { readonly group: string; readonly plural: string } | null,
  refusal: unknown,
): unknown {
  if (!(refusal instanceof Problem) || refusal.status >= 500 || caller.type === 'operator') return refusal;
  if (caller.type === 'controller') return refusal;
  const { bindings } = accessOf(caller);
  const sees = kind === null ? seesEveryKind(bindings) : seesKind(bindings, kind);
  return sees ? refusal : accessDenied(caller);
}

/** Throws the uniform 403 unless some verb on the target is granted: for refusals that do not depend on the verb, such as 405. */
export async function requireSomeUse(
  reader: ResourceReader,
  caller: Caller,
  target: ResolvedTarget,
): Promise<void> {
  if (caller.type === 'operator' || caller.type === 'controller') return;
  const { version, bindings } = accessOf(caller);
  const grants = target.collection === null ? [] : grantsOnKind(bindings, target.collection);
  if (grants.length === 0) throw accessDenied(caller);
  await requireReachable(reader, guardOf(version, grants), caller, target, null);
}

/** Throws the uniform 403 for a user or a service account that no binding names, before anything of the request is looked at. */
export function requireAnyBinding(caller: Caller): void {
  if (caller.type === 'operator' || caller.type === 'controller') return;
  if (accessOf(caller).bindings.every(({ rules }) => rules.length === 0)) throw accessDenied(caller);
}

/** Throws the uniform 403 unless some binding of the caller names the kind. It asks no database. */
export function requireSomeRule(
  caller: Caller,
  kind: { readonly group: string; readonly plural: string },
): void {
  if (caller.type === 'operator' || caller.type === 'controller') return;
  if (!usesKind(accessOf(caller).bindings, kind)) throw accessDenied(caller);
}

/** Throws the uniform 403 unless the guard admits the target, or the place where it would be. */
async function requireReachable(
  reader: ResourceReader,
  guard: AccessGuard,
  caller: Caller,
  target: ResolvedTarget,
  verb: AccessVerb | null,
): Promise<void> {
  const reach = await reader.reach(target.ref);
  if (reach.version !== guard.version) throw new StaleAccess();
  if (!(await admitsTarget(reader, guard, reach, target, verb))) throw accessDenied(caller);
}

/** Whether the guard admits the target with these rows on the way to it, or the place where it would be. */
export async function admitsTarget(
  reader: Pick<ResourceReader, 'places'>,
  guard: AccessGuard,
  reach: Reach,
  target: ResolvedTarget,
  verb: AccessVerb | null,
): Promise<boolean> {
  if (isUnrestricted(guard)) return true;
  const isRoot = target.form === 'collection' && target.ref.ancestors.length === 0;
  // A root resource is created in no scope. A binding whose scope no longer exists grants nothing.
  if (isRoot)
    return verb !== 'create' && verb !== 'watch' && (await reader.places(scopesOf(guard))).length > 0;
  if (reach.item !== null) return admits(guard, reach.item);
  return guard.entries.some(
    ({ scope, name }) =>
      (name === null || name === nameIn(target)) && (scope === null || reach.uids.includes(scope)),
  );
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
      ({ value }) => value,
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

function withGuard<T extends ResolvedTarget>(target: T, access: AccessGuard): T {
  return { ...target, ref: { ...target.ref, access } };
}

/** The name of the item; null for a collection, undefined for a path by uid. */
export function nameIn(target: ResolvedTarget): string | null | undefined {
  if (target.form === 'collection') return null;
  const { ref } = target as ItemTarget;
  return ref.by === 'path' ? ref.steps.at(-1)?.name : undefined;
}

/** Whether resources of the kind are authorized in the scope that they name, and not where they are. */
export function isRoleBindings({ group, kind }: Collection): boolean {
  return group === roleBindings.group && kind === roleBindings.kind;
}

function accessOf(caller: Caller): {
  readonly version: string;
  readonly bindings: readonly EffectiveBinding[];
} {
  return (caller.type === 'operator' ? undefined : caller.access) ?? { version: '', bindings: [] };
}
