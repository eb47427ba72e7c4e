import { grantsOnKind, seesEveryKind, seesKind, usesKind } from '@platform/access';
import { Problem } from '@platform/kernel';
import { guardOf } from '../model/access-guard.ts';
import type { Caller } from '../model/caller.ts';
import type { ResolvedTarget } from '../model/target.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import { accessDenied } from '../rules/access.ts';
import { accessOf } from './caller-access.ts';
import { requireReachable } from './reachable.ts';

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
