import { type AccessVerb, StaleAccess } from '@platform/access';
import { type AccessGuard, admits, isUnrestricted, scopesOf } from '../model/access-guard.ts';
import type { Caller } from '../model/caller.ts';
import { nameIn, type ResolvedTarget } from '../model/target.ts';
import type { Reach, ResourceReader } from '../ports/resource-reader.ts';
import { accessDenied } from '../rules/access.ts';

/** A request of a caller whose access depends on bindings, with the guard of what they grant. */
export interface GuardedRequest<T extends ResolvedTarget = ResolvedTarget> {
  readonly caller: Caller;
  readonly target: T;
  readonly guard: AccessGuard;
}

/** Throws the uniform 403 unless the guard admits the target, or the place where it would be. `verb` is null for any verb. */
export async function requireReachable(
  reader: ResourceReader,
  request: GuardedRequest,
  verb: AccessVerb | null,
): Promise<void> {
  const { caller, target, guard } = request;
  const reach = await reader.reach(target.ref);
  if (reach.version !== guard.version) throw new StaleAccess();
  if (!(await admitsTarget(reader, request, reach, verb))) throw accessDenied(caller);
}

/** Whether the guard admits the target with these rows on the way to it, or the place where it would be. */
export async function admitsTarget(
  reader: Pick<ResourceReader, 'places'>,
  { target, guard }: Omit<GuardedRequest, 'caller'>,
  reach: Reach,
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
