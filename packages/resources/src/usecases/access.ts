import { Problem } from '@platform/kernel';
import { strategyOf } from '../kinds/table.ts';
import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import type { TargetForm } from '../model/path.ts';

/**
 * Throws `forbidden` unless the caller may use this form of path: operators may use all, controllers the ones that the kind allows them.
 * The answer is the same whether or not the row exists.
 */
export function requireAccess(caller: Caller, form: TargetForm, collection: Collection | null): void {
  const allowed =
    collection === null
      ? caller.type === 'operator'
      : strategyOf(collection).allows(caller, form, collection);
  if (!allowed) throw accessDenied();
}

/** The refusal of access. It tells nothing about which rows exist. */
export function accessDenied(): Problem {
  return new Problem('forbidden', 'You may not use this operation.');
}
