import { grantsOnKind, seesEveryKind, seesKind, usesKind } from '@platform/access';
import { Problem } from '@platform/kernel';
import { roleBindings } from '../kinds/role-binding.ts';
import type { Use } from '../kinds/strategy.ts';
import { strategyOf } from '../kinds/table.ts';
import { type AccessGuard, guardOf } from '../model/access-guard.ts';
import type { Caller, CallerAccess } from '../model/caller.ts';
import type { Collection, GroupKind } from '../model/definition.ts';
import type { TargetForm } from '../model/path.ts';
import type { ResolvedTarget } from '../model/target.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import { accessDenied } from '../rules/access.ts';
import { requireReachable } from './reachable.ts';

/** Whether the caller may use this form of path of the kind without any binding: operators, and controllers that the kind lists. */
export function needsNoBinding(
  caller: Caller,
  form: TargetForm,
  collection: Collection | null,
  use: Use = 'write',
): boolean {
  if (collection === null) return caller.type === 'operator';
  return strategyOf(collection).allows(caller, form, collection, use);
}

/** The bindings that name the caller, with the version of all bindings; none where the caller needs none. */
export function accessOf(caller: Caller): CallerAccess {
  return (caller.type === 'operator' ? undefined : caller.access) ?? { version: '', bindings: [] };
}

/** Whether resources of the kind are authorized in the scope that they name, and not where they are. */
export function isRoleBindings({ group, kind }: GroupKind): boolean {
  return group === roleBindings.group && kind === roleBindings.kind;
}

/** The target, whose statements find only what the guard lets through. */
export function withGuard<T extends ResolvedTarget>(target: T, access: AccessGuard): T {
  return { ...target, ref: { ...target.ref, access } };
}

/**
 * The refusal of a path that could not be resolved. It says what exists, so users and service accounts get it only if a binding without a
 * scope names the kind, and otherwise the uniform 403.
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
  await requireReachable(reader, { caller, target, guard: guardOf(version, grants) }, null);
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
