import { Problem } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import type { TargetForm } from '../model/path.ts';

/**
 * Whether the caller may do the operation at all (specification, "Access to the generic resource API"): operators everything,
 * controllers PUT status and PUT finalizers of collections that list them. An empty list denies all controllers.
 * Throws `forbidden`, whether or not the row exists.
 */
export function requireAccess(caller: Caller, form: TargetForm, collection: Collection | null): void {
  if (caller.type === 'operator') return;
  const operation = form === 'status' || form === 'finalizers';
  if (!operation || collection?.allowedStatusControllerIds.includes(caller.id) !== true) throw accessDenied();
}

/** The one refusal of access: it tells nothing about what exists. */
export function accessDenied(): Problem {
  return new Problem('forbidden', 'You may not use this operation.');
}
