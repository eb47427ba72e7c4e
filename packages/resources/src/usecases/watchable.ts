import { grantsOf, StaleAccess } from '@platform/access';
import { type AccessGuard, guardOf, isUnrestricted, scopesOf } from '../model/access-guard.ts';
import type { Caller } from '../model/caller.ts';
import { anyName } from '../model/selection.ts';
import { type CollectionRef, nameIn, type ResolvedTarget } from '../model/target.ts';
import type { Reach, ResourceReader } from '../ports/resource-reader.ts';
import { accessDenied } from '../rules/access.ts';
import { accessOf, isRoleBindings, needsNoBinding, withGuard } from './caller-access.ts';
import { type GuardedRequest, requireReachable } from './reachable.ts';
import { inPresentScopes } from './visibility.ts';

/**
 * Throws the uniform 403 unless bindings let the caller watch the target now: asked again for as long as the stream lasts. Returns the guard
 * of what the caller may see of it; null for everything.
 */
export async function requireWatchable(
  reader: ResourceReader,
  caller: Caller,
  target: ResolvedTarget,
): Promise<AccessGuard | null> {
  if (needsNoBinding(caller, target.form, target.collection, 'read')) return null;
  if (target.collection === null) throw accessDenied(caller);
  const { version, bindings } = accessOf(caller);
  const { group, plural } = target.collection;
  const grants = grantsOf(bindings, { verb: 'watch', group, resource: plural, name: nameIn(target) });
  if (grants.length === 0) throw accessDenied(caller);
  const { shown } = await watchable(reader, { caller, target, guard: guardOf(version, grants) });
  return shown ?? null;
}

/**
 * The target of a stream, which follows the log, with the guard by which the stream leaves out what the caller may not see. An item that is
 * its own scope is watched by its uid, because another resource may get its name.
 *
 * Attack: a parent is deleted, and its name belongs to somebody else. Who may watch below the new one goes on from a cursor before that:
 * such a stream begins with what was below the old one.
 */
export async function watchable<T extends ResolvedTarget>(
  reader: ResourceReader,
  { caller, target, guard: granted }: GuardedRequest<T>,
): Promise<T> {
  const isOfBindings = target.collection !== null && isRoleBindings(target.collection);
  const guard = isOfBindings
    ? { ...granted, entries: await inPresentScopes(reader, granted.entries) }
    : granted;
  const request = { caller, target, guard };
  if (isUnrestricted(guard)) {
    await requireReachable(reader, request, 'watch');
    return target;
  }
  if (target.form === 'collection') return { ...(await visiblePart(reader, request)), shown: guard };
  await requireReachable(reader, request, 'watch');
  if (isOfBindings) return { ...withGuard(target, guard), shown: guard };
  const { item } = await reader.reach(target.ref);
  if (item === null) return { ...target, shown: guard };
  const { uid, group, kind, within } = item;
  const isAbove = guard.entries.some(({ scope }) => scope === null || within.includes(scope));
  return isAbove ? { ...target, shown: guard } : { ...target, ref: { by: 'uid', uid, group, kind } };
}

/** The collection, with the guard where the caller may see parts of it only. Throws the uniform 403 when it may see none. */
export async function visiblePart<T extends ResolvedTarget>(
  reader: ResourceReader,
  { caller, target, guard }: GuardedRequest<T>,
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
