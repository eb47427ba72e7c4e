import type { EffectiveBinding } from '@platform/access';
import { roleBindings } from '../kinds/role-binding.ts';
import type { Use } from '../kinds/strategy.ts';
import { strategyOf } from '../kinds/table.ts';
import type { AccessGuard } from '../model/access-guard.ts';
import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import type { ItemTarget, ResolvedTarget, TargetForm } from '../model/target.ts';

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

/** The bindings that name the caller, with the version of all bindings; none where the caller needs none. */
export function accessOf(caller: Caller): {
  readonly version: string;
  readonly bindings: readonly EffectiveBinding[];
} {
  return (caller.type === 'operator' ? undefined : caller.access) ?? { version: '', bindings: [] };
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

/** The target, whose statements find only what the guard lets through. */
export function withGuard<T extends ResolvedTarget>(target: T, access: AccessGuard): T {
  return { ...target, ref: { ...target.ref, access } };
}
