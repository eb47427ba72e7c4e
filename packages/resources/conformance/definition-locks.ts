import type { GroupKind } from '../src/model/definition.ts';
import type { Resource } from '../src/model/resource.ts';
import type { Transaction } from '../src/ports/transactions.ts';
import {
  creation,
  definitionCreation,
  edition,
  given,
  givenDefinition,
  replacement,
  testChange,
  versionOf,
} from './builders.ts';
import { facts } from './definitions.ts';
import { letOthersRun, outcomeOf, signal, tombstones } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const kind = (name: string): GroupKind => ({ group: 'example.dev', kind: name });

/** The locks of `DefinitionFacts`. */
export function definitionLocks({ guarantee }: Suite): void {
  guarantee('transactions that write definitions run one after the other', async (store) => {
    const locked = signal();
    const first = store.transactions.run(async (transaction) => {
      await transaction.definitions.lockCatalog();
      locked.send();
      await letOthersRun(store);
      return transaction.writer.create(definitionCreation(kind('Widget')));
    });
    await locked.sent;
    const second = await facts(store, async (known) => {
      await known.lockCatalog();
      return known.claiming('widgets', kind('Widget'), null);
    });
    expect(await first).toMatchObject({ outcome: 'created' });
    expect(second).toHaveLength(1);
  });

  guarantee('a locked definition shows the revision of the last writer', async (store) => {
    const definition = await givenDefinition(store, kind('Widget'));
    const lock = (uid: string) => facts(store, (known) => known.lockDefinition(uid));
    expect(await lock(definition.uid)).toBe(definition.revision);
    const locked = signal();
    const edit = store.transactions.run(async ({ definitions, writer }) => {
      await definitions.lockDefinition(definition.uid);
      locked.send();
      await letOthersRun(store);
      return writer.replace(edition(definition));
    });
    await locked.sent;
    expect(await lock(definition.uid)).toBe(definition.revision + 1);
    expect(await edit).toMatchObject({ outcome: 'replaced' });
    await store.removeRow(definition.uid);
    expect(await lock(definition.uid)).toBeNull();
  });

  guarantee('a rollback releases the catalog lock', async (store) => {
    const attempt = store.transactions.run(async (transaction) => {
      await transaction.definitions.lockCatalog();
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    await facts(store, (known) => known.lockCatalog());
  });

  guarantee('requests for instances do not wait for the catalog lock', async (store) => {
    const definition = await givenDefinition(store, kind('Widget'));
    const row = await given(store);
    await facts(store, async (known) => {
      await known.lockCatalog();
      await given(store, { definition: await versionOf(store, definition) });
      await store.writer.replace(replacement(row, { definition: await versionOf(store, definition) }));
      expect(await store.definitions.load('example.dev', 'widgets')).toMatchObject({ chain: [definition] });
    });
    expect(await tombstones(store, 1)).toEqual([]);
  });

  guarantee('a create that waited for a change of its definition fails as stale', async (store) => {
    const definition = await givenDefinition(store, kind('Widget'));
    const command = creation({ definition: await versionOf(store, definition) });
    const { counted, outcome } = await whileCounting(
      store,
      definition,
      () => outcomeOf(store.writer.create(command)),
      async ({ writer }) => void (await writer.replace(edition(definition))),
    );
    expect(counted).toEqual(new Map());
    expect(outcome).toBe('staleDefinitions');
    expect(await store.definitions.load('example.dev', 'widgets')).toMatchObject({
      chain: [{ revision: 2 }],
    });
  });

  guarantee('a replacement that waited for a change of its definition fails as stale', async (store) => {
    const definition = await givenDefinition(store, kind('Widget'));
    const row = await given(store);
    const command = replacement(row, {
      definition: await versionOf(store, definition),
      apiVersion: 'example.dev/v2',
    });
    const { outcome } = await whileCounting(
      store,
      definition,
      () => outcomeOf(store.writer.replace(command)),
      async ({ writer }) => void (await writer.replace(edition(definition))),
    );
    expect(outcome).toBe('staleDefinitions');
  });

  guarantee('a create that waited for the deletion of its definition is refused', async (store) => {
    for (const removed of [true, false]) {
      const definition = await givenDefinition(store, kind(removed ? 'Widget' : 'Gadget'));
      const command = creation({ definition: await versionOf(store, definition) });
      const { outcome } = await whileCounting(
        store,
        definition,
        () => outcomeOf(store.writer.create(command)),
        async ({ deletion }) => {
          if (removed) await deletion.remove(definition.uid, testChange);
          else await deletion.tombstone(definition.uid, { cascadeFinalizer: false, change: testChange });
        },
      );
      expect(['staleDefinitions', 'definitionTerminating']).toContain(outcome);
    }
  });
}

/** Starts `other` between the count of the instances and the write of the definition by `change`. */
async function whileCounting<T>(
  store: StoreUnderTest,
  definition: Resource,
  other: () => Promise<T>,
  change: (transaction: Transaction) => Promise<void>,
): Promise<{ counted: ReadonlyMap<string, number>; outcome: T }> {
  const counted = signal();
  const started = signal();
  const { group, kind: definedKind } = JSON.parse(definition.spec);
  const changed = store.transactions.run(async (transaction) => {
    await transaction.definitions.lockCatalog();
    const counts = await transaction.definitions.countInstances(
      definition.uid,
      { group, kind: definedKind },
      100,
    );
    counted.send();
    await started.sent;
    await change(transaction);
    return counts;
  });
  await counted.sent;
  const outcome = other();
  await letOthersRun(store);
  started.send();
  return { counted: await changed, outcome: await outcome };
}
