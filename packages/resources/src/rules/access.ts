import { type AccessRule, coversRules } from '@platform/access';
import { Problem } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';

/**
 * Throws `forbidden` unless the caller holds every permission of `rules` where they would apply: in the scope whose uid and the uids
 * above it are `within`, or everywhere when that is null. Operators hold all.
 *
 * Attack: somebody who may write bindings gives themselves the role `admin`.
 */
export function requireHeldIn(
  caller: Caller,
  rules: readonly AccessRule[],
  within: readonly string[] | null,
): void {
  if (!holdsIn(caller, rules, within)) throw escalation();
}

/** Whether the caller holds every permission of `rules`, as {@link requireHeldIn} means it. */
export function holdsIn(
  caller: Caller,
  rules: readonly AccessRule[],
  within: readonly string[] | null,
): boolean {
  if (caller.type === 'operator') return true;
  const held = (caller.access?.bindings ?? [])
    .filter(({ scope }) => scope === null || (within?.includes(scope) ?? false))
    .flatMap((binding) => binding.rules);
  return coversRules(held, rules);
}

/** The refusal is the same for a role that does not exist, so that names of roles cannot be probed. */
export function escalation(): Problem {
  return new Problem('forbidden', 'You cannot grant permissions that you do not have in that scope.');
}

/** The refusal of access. It tells nothing about which rows exist: users and service accounts get the same as without any binding. */
export function accessDenied({ type }: Pick<Caller, 'type'>): Problem {
  return new Problem(
    'forbidden',
    type === 'controller' ? 'You may not use this operation.' : 'The caller has no access to this API.',
  );
}
