import { grantFor } from '@platform/access';
import type { Caller } from '../model/caller.ts';
import { groupOf } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import { sealedMemberIn } from '../model/sealed-spec.ts';
import type { PlacedRow } from '../ports/resource-reader.ts';
import type { Transaction } from '../ports/transactions.ts';
import { accessDenied } from '../rules/access.ts';
import { placeOf, restoreGrantsFor } from './authorize-restore.ts';
import { readCollections } from './restored-items.ts';
import { sees } from './visibility.ts';

/** A resource in an answer that was kept for an idempotency key, as far as it identifies it. */
export type AnsweredResource = Pick<Resource, 'uid' | 'apiVersion' | 'kind'>;

/**
 * Throws the uniform 403 unless the caller may still restore each of the resources that an earlier request has restored.
 *
 * Attack: somebody keeps the verb in the scope of one of them, and reads the others from the answer that was kept.
 */
export async function requireMayStillRestore(
  transaction: Transaction,
  caller: Caller,
  restored: readonly AnsweredResource[],
): Promise<void> {
  if (caller.type === 'operator') return;
  const collectionOf = await readCollections(transaction, restored);
  for (const resource of restored) {
    const place = await presentPlace(transaction, resource);
    const grants = restoreGrantsFor(caller, collectionOf(resource));
    if (place === null || grantFor(grants, { ...place, uid: '' }) === null) throw accessDenied(caller);
  }
  await requireMayStillRead(transaction, caller, restored);
}

/**
 * Throws the uniform 403 unless the caller may still `get` those of the resources whose values an answer shows in clear for that reason.
 *
 * Attack: somebody has lost `get` on Secrets and kept `patch`, and reads the values from the answer that was kept.
 */
export async function requireMayStillRead(
  transaction: Transaction,
  caller: Caller,
  answered: readonly AnsweredResource[],
): Promise<void> {
  if (caller.type === 'operator') return;
  for (const resource of answered) {
    if (sealedMemberIn(resource)?.readableBy !== 'getters') continue;
    const place = await presentPlace(transaction, resource);
    if (place === null || !sees(caller, place)) throw accessDenied(caller);
  }
}

/** Where the resource is, or would be if it were restored; null when the change log does not know it any more. */
async function presentPlace(
  { reader, removed }: Pick<Transaction, 'reader' | 'removed'>,
  { uid, apiVersion, kind }: AnsweredResource,
): Promise<PlacedRow | null> {
  const [live] = await reader.places([uid]);
  if (live !== undefined) return live;
  const [gone] = await removed.find([uid]);
  if (gone === undefined) return null;
  const within = await placeOf({ reader, removed }, gone.resource);
  return { uid, group: groupOf(apiVersion), kind, plural: null, name: gone.resource.name, within };
}
