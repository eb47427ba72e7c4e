import type { ChangeContext } from '../src/model/change-context.ts';
import type { DefinitionVersion } from '../src/model/definition.ts';
import type { Resource } from '../src/model/resource.ts';
import type { ResourceRef } from '../src/model/target.ts';
import { StaleDefinitions } from '../src/ports/definitions.ts';
import type { Cascade, Transaction } from '../src/ports/transactions.ts';
import { decideDeletion } from '../src/rules/decide-deletion.ts';
import { byUid, testChange } from './builders.ts';
import type { StoreUnderTest } from './suite.ts';

/** The result of a deletion. */
export type Deletion =
  | { readonly outcome: 'removed' | 'tombstoned'; readonly cascades: readonly Cascade[] }
  | { readonly outcome: 'missing' };

/** The steps of a DELETE, in their order. */
export async function deleteIn(
  { deletion }: Transaction,
  ref: ResourceRef,
  definition: DefinitionVersion = null,
  change: ChangeContext = testChange,
): Promise<Deletion> {
  const locked = await deletion.lock(ref, definition);
  if (locked.outcome !== 'locked') return locked;
  const { resource, blocked } = locked;
  const { uid, finalizers } = resource;
  const decision = decideDeletion({ tombstoned: resource.deletionTimestamp !== null, finalizers, blocked });
  if (decision === 'wait') return { outcome: 'tombstoned', cascades: [] };
  if (decision === 'tombstone') await deletion.tombstone(uid, { cascadeFinalizer: blocked, change });
  const cascades = await deletion.cascade(uid, { ...change, operation: 'cascade' });
  if (decision === 'remove') await deletion.remove(uid, change);
  return { outcome: decision === 'remove' ? 'removed' : 'tombstoned', cascades };
}

/** A DELETE of the row in a transaction of its own. */
export function deleteRow(
  store: Pick<StoreUnderTest, 'transactions'>,
  resource: Resource,
  change?: ChangeContext,
): Promise<Deletion> {
  return store.transactions.run((transaction) => deleteIn(transaction, byUid(resource), null, change));
}

/** Tombstones the row without its dependents. */
export function tombstone(store: StoreUnderTest, resource: Resource): Promise<Resource> {
  return store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(resource), null);
    return deletion.tombstone(resource.uid, { cascadeFinalizer: false, change: testChange });
  });
}

/** The outcome of a request as a word. */
export async function outcomeOf(request: Promise<{ readonly outcome: string }>): Promise<string> {
  try {
    return (await request).outcome;
  } catch (error) {
    if (error instanceof StaleDefinitions) return 'staleDefinitions';
    throw error;
  }
}

/** A promise that the test resolves. */
export interface Signal {
  readonly sent: Promise<void>;
  send(): void;
}

export function signal(): Signal {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { sent, send: () => send() };
}

/** The oldest tombstones of every kind. */
export async function tombstones(
  store: Pick<StoreUnderTest, 'reader'>,
  limit: number,
): Promise<readonly Resource[]> {
  return (await store.reader.pendingDeletion({ limit, after: null })).items;
}

/** Waits several round trips, so that calls that were started without await make progress. */
export async function letOthersRun(store: StoreUnderTest): Promise<void> {
  for (let trip = 0; trip < 25; trip += 1) {
    await tombstones(store, 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The numbers from 0 to `count` - 1. */
export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** The number of outcomes of each kind. */
export function tally(outcomes: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
