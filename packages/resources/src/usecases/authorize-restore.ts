import { type AccessVerb, type Grant, grantFor, grantsOf, StaleAccess } from '@platform/access';
import { requireCurrentAccess } from '../kinds/access-checks.ts';
import { roleBindings, scopeUidOf } from '../kinds/role-binding.ts';
import type { Caller, CallerAccess } from '../model/caller.ts';
import { type Collection, isOfKind } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';
import type { ItemTarget } from '../model/target.ts';
import type { RemovedResources } from '../ports/removed-resources.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import type { Transaction } from '../ports/transactions.ts';
import { accessDenied } from '../rules/access.ts';
import { accessOf, needsNoBinding } from './caller-access.ts';
import type { RestoredItem } from './restored-items.ts';
import type { RestoredPlaces } from './restored-places.ts';

const verb: AccessVerb = 'restore';

interface Reads {
  readonly reader: ResourceReader;
  readonly removed: RemovedResources;
}

/**
 * Throws the uniform 403 unless the caller may restore what the target names. Called before a kept answer is sent again, and before any other
 * refusal, which would say something about the resource.
 */
export async function requireMayRestore(reads: Reads, caller: Caller, target: ItemTarget): Promise<void> {
  if (caller.type === 'operator' || needsNoBinding(caller, target.form, target.collection)) return;
  if ((await restoreGrants(reads, accessOf(caller), target)).length === 0) throw accessDenied(caller);
}

/** The grants that let those who have them restore what the target names. @throws StaleAccess when bindings have changed. */
export async function restoreGrants(
  reads: Reads,
  { version, bindings }: CallerAccess,
  { collection, ref }: ItemTarget,
): Promise<readonly Grant[]> {
  const grants = collection === null ? [] : restoreGrantsOn(bindings, collection);
  if (grants.length === 0) return [];
  const reach = await reads.reader.reach(ref);
  if (reach.version !== version) throw new StaleAccess();
  const [found] = reach.item !== null || ref.by === 'path' ? [] : await reads.removed.find([ref.uid]);
  const within =
    reach.item?.within ?? (found === undefined ? reach.uids : await placeOf(reads, found.resource));
  const name = reach.item?.name ?? found?.resource.name ?? '';
  return grants.filter((grant) => grantFor([grant], { uid: '', name, within }) !== null);
}

/**
 * Throws the uniform 403 unless the caller may restore each of the items.
 *
 * Attack: somebody makes a resource of their own the owner of one that they may not write, and restores both.
 */
export async function requireMayRestoreAll(
  { access, reader, removed }: Transaction,
  caller: Caller,
  items: readonly RestoredItem[],
  places: RestoredPlaces,
): Promise<void> {
  if (caller.type === 'operator') return;
  await requireCurrentAccess(access, caller);
  const known = new Map<Collection | null, readonly Grant[]>();
  for (const item of items) {
    // Attack: ten thousand items, and a caller with thousands of bindings. The grants on a kind are looked for once.
    const grants = known.get(item.collection) ?? restoreGrantsFor(caller, item.collection);
    known.set(item.collection, grants);
    const within = places.parentOf(item)?.within ?? (await placeOf({ reader, removed }, item.removed));
    const scope = isOfKind(item.removed, roleBindings)
      ? await placeOf({ reader, removed }, item.removed)
      : within;
    for (const name of new Set([item.removed.name, item.name])) {
      if (grantFor(grants, { uid: '', name, within: scope }) === null) throw accessDenied(caller);
    }
  }
}

/** The grants of `restore` on the kind; none for a kind that is no longer registered. */
export function restoreGrantsFor(caller: Caller, collection: Collection | null): readonly Grant[] {
  return collection === null ? [] : restoreGrantsOn(accessOf(caller).bindings, collection);
}

function restoreGrantsOn(
  bindings: CallerAccess['bindings'],
  { group, plural }: Collection,
): readonly Grant[] {
  return grantsOf(bindings, { verb, group, resource: plural, name: undefined });
}

/** The uids of the ancestors that a restored resource would have; for a RoleBinding, its scope and the ancestors of that. */
export async function placeOf({ reader, removed }: Reads, resource: Resource): Promise<readonly string[]> {
  const above = isOfKind(resource, roleBindings) ? scopeUidOf(resource.spec) : resource.parentUid;
  if (above === null) return [];
  const [live] = await reader.places([above]);
  if (live !== undefined) return [...live.within, live.uid];
  const row = (await removed.restoredAs([above])).get(above);
  if (row !== undefined) return [...row.ancestorUids, row.uid];
  // A scope that is gone for good has nothing in which the caller could hold the verb.
  if (isOfKind(resource, roleBindings)) return [];
  return (await reader.places(resource.ancestorUids)).map(({ uid }) => uid);
}
