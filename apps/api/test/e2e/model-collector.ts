import {
  cascadeFinalizer,
  decideCollection,
  groupOf,
  type Resource,
  type ResourceReader,
  systemChange,
  type Transactions,
} from '@platform/resources';

const testChange = systemChange('collector', 'collect');

interface Rows {
  readonly reader: ResourceReader;
  readonly transactions: Transactions;
}

/** Collects in the model what the collector collects, to the fixpoint: a row a transaction, oldest first. */
export async function drain(store: Rows): Promise<void> {
  for (let progress = true; progress; ) {
    progress = false;
    const { items } = await store.reader.pendingDeletion({ limit: 100_000, after: null });
    for (const row of items) {
      if (await collect(store, row)) progress = true;
    }
  }
}

/** Takes one row a step further; false when it stays as it is. */
async function collect(store: Rows, { uid, kind, apiVersion }: Resource): Promise<boolean> {
  return store.transactions.run(async ({ deletion, writer }) => {
    const ref = { by: 'uid', uid, kind, group: groupOf(apiVersion) } as const;
    const locked = await deletion.lock(ref, null);
    if (locked.outcome !== 'locked') return false;
    const { resource, blocked } = locked;
    const { finalizers } = resource;
    const cascades = await deletion.cascade(uid, testChange);
    const decision = decideCollection({ tombstoned: true, finalizers, blocked });
    if (decision === 'remove') await deletion.remove(uid, testChange);
    const wanted = { block: [cascadeFinalizer], hold: [], remove: null, ignore: null }[decision];
    if (wanted === null) return true;
    const change = { add: wanted, remove: blocked ? [] : [cascadeFinalizer] };
    const outcome = await writer.changeFinalizers({
      change: testChange,
      definition: null,
      ref,
      ...change,
      limit: 1000,
    });
    return cascades.length > 0 || (outcome.outcome === 'written' && outcome.changed);
  });
}
