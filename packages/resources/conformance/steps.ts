import type { DefinitionVersion } from '../src/model/definition.ts';
import type { Resource } from '../src/model/resource.ts';
import type { ResourceRef } from '../src/model/target.ts';
import { StaleDefinitions } from '../src/ports/stale-definitions.ts';
import type { Cascade, Transaction } from '../src/ports/transactions.ts';
import { decideDeletion } from '../src/rules/decide-deletion.ts';
import { byUid } from './builders.ts';
import type { StoreUnderTest } from './suite.ts';

/** How a whole deletion ended. */
export type Deletion =
  | { readonly outcome: 'removed' | 'tombstoned'; readonly cascades: readonly Cascade[] }
  | { readonly outcome: 'missing' };

/** The steps in the order in which a DELETE takes them (specification, "Resource lifecycle"). */
export async function deleteIn(
  { deletion }: Transaction,
  ref: ResourceRef,
  definition: DefinitionVersion = null,
): Promise<Deletion> {
  const locked = await deletion.lock(ref, definition);
  if (locked.outcome !== 'locked') return locked;
  const { resource, blocked } = locked;
  const { uid, finalizers } = resource;
  const decision = decideDeletion({ tombstoned: resource.deletionTimestamp !== null, finalizers, blocked });
  if (decision === 'wait') return { outcome: 'tombstoned', cascades: [] };
  if (decision === 'tombstone') await deletion.tombstone(uid, { cascadeFinalizer: blocked });
  const cascades = await deletion.cascade(uid);
  if (decision === 'remove') await deletion.remove(uid);
  return { outcome: decision === 'remove' ? 'removed' : 'tombstoned', cascades };
}

/** A DELETE of the row in a transaction of its own. */
export function deleteRow(store: StoreUnderTest, resource: Resource): Promise<Deletion> {
  return store.transactions.run((transaction) => deleteIn(transaction, byUid(resource)));
}

/** Tombstones the row alone, as a deletion that finds it held does. */
export function tombstone(store: StoreUnderTest, resource: Resource): Promise<Resource> {
  return store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(resource), null);
    return deletion.tombstone(resource.uid, { cascadeFinalizer: false });
  });
}

/** How a request ended, in one word. */
export async function outcomeOf(request: Promise<{ readonly outcome: string }>): Promise<string> {
  try {
    return (await request).outcome;
  } catch (error) {
    if (error instanceof StaleDefinitions) return 'staleDefinitions';
    throw error;
  }
}

/** A promise that the test resolves itself. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Gives calls that were started, but not awaited, the time of several round trips to get as far as they can. */
export async function letOthersRun(store: StoreUnderTest): Promise<void> {
  for (let trip = 0; trip < 25; trip += 1) {
    await store.reader.pendingDeletion(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Every number from 0 up to `count`. */
export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** How many of the outcomes there are of each word. */
export function tally(outcomes: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
