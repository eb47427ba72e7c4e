import type { Caller } from '../model/caller.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { changedFinalizers, requireOwnFinalizers } from '../rules/finalizers.ts';
import type { ResourcePorts } from './request.ts';
import { visibleTo } from './visibility.ts';

/**
 * The owner references as the store has to see them: one to a resource that the caller may not see gets a uid that nothing has, so that
 * the store answers it like one to a missing resource.
 *
 * Attack: somebody names resources of others as owners, and reads from the answers which of them exist.
 */
export async function hideInvisibleOwners(
  { reader, identifiers }: Pick<ResourcePorts, 'reader' | 'identifiers'>,
  caller: Caller,
  references: readonly OwnerReference[],
): Promise<ReadonlyMap<string, OwnerReference>> {
  const shown = new Map(references.map((reference) => [reference.uid, reference]));
  const isVisible = await visibleTo({ reader }, caller, references);
  for (const reference of references) {
    if (!isVisible(reference)) shown.set(reference.uid, { ...reference, uid: identifiers.uid() });
  }
  return shown;
}

/** Throws `finalizer_not_owned` when a create or a replacement adds or removes a finalizer of another writer. */
export function requireOwnFinalizerChanges(
  { controllerIds }: Pick<ResourcePorts, 'controllerIds'>,
  caller: Caller,
  stored: readonly string[],
  wanted: readonly string[],
): void {
  requireOwnFinalizers(changedFinalizers(stored, wanted), caller, controllerIds);
}
