import { deletionProtectionAnnotation } from '../src/model/deletion-protection.ts';
import type { Resource } from '../src/model/resource.ts';
import type { CreateCommand } from '../src/ports/resource-writer.ts';
import {
  adoption,
  byUid,
  creation,
  given,
  givenBelow,
  ownedBy,
  read,
  replacement,
  reread,
  testChange,
} from './builders.ts';
import { deleteIn, deleteRow, letOthersRun, signal, tombstone, upTo } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** Metadata that protects a row. */
export const protectedMetadata = `{"annotations":{"${deletionProtectionAnnotation}":"true"}}`;
const isProtected = { metadata: protectedMetadata };

/** `DeletionSteps.protectedFrom`, and the writes that protect rows. */
export function protection({ guarantee }: Suite): void {
  guarantee('a deletion reaches nothing protected where nothing is protected', async (store) => {
    const root = await given(store);
    await givenBelow(store, [root], 'Part', { ownerReferences: [ownedBy(root)] });
    expect(await reached(store, root)).toEqual([]);
  });

  guarantee('a protected row, its parent and its owners at any height reach it', async (store) => {
    const root = await given(store);
    const owner = await givenBelow(store, [root], 'Part');
    const owned = await given(store, { ownerReferences: [ownedBy(owner)] });
    const guarded = await givenBelow(store, [owned], 'Part', isProtected);
    const [sibling, below] = [
      await givenBelow(store, [root], 'Part'),
      await givenBelow(store, [owned, guarded], 'Screw'),
    ];
    for (const row of [root, owner, owned, guarded]) expect(await reached(store, row)).toEqual([guarded.uid]);
    for (const row of [sibling, below]) expect(await reached(store, row)).toEqual([]);
  });

  guarantee('a protected row below a tombstone is reached, a tombstone itself is not', async (store) => {
    const root = await given(store);
    const middle = await givenBelow(store, [root], 'Part', isProtected);
    const guarded = await givenBelow(store, [root, middle], 'Screw', isProtected);
    await tombstone(store, middle);
    expect(await reached(store, root)).toEqual([guarded.uid]);
  });

  guarantee('only the value "true" protects, and removing it ends the protection', async (store) => {
    const row = await given(store, {
      metadata: `{"annotations":{"${deletionProtectionAnnotation}":"yes"}}`,
    });
    expect(await reached(store, row)).toEqual([]);
    await store.writer.replace(replacement(row, isProtected));
    expect(await reached(store, row)).toEqual([row.uid]);
    await store.writer.replaceStatus({
      change: testChange,
      definition: null,
      ref: byUid(row),
      slot: 's',
      value: '1',
    });
    expect(await reached(store, row)).toEqual([row.uid]);
    await store.writer.replace(replacement(await reread(store, row), { metadata: '{"annotations":{}}' }));
    expect(await reached(store, row)).toEqual([]);
  });

  guarantee('no more protected rows are reported than asked for, each with its identity', async (store) => {
    const root = await given(store);
    const rows: Resource[] = [];
    for (const _ of upTo(4)) rows.push(await givenBelow(store, [root], 'Part', isProtected));
    const found = await store.transactions.run(async ({ deletion }) => {
      await deletion.lock(byUid(root), null);
      return deletion.protectedFrom(root.uid, 3);
    });
    expect(found).toHaveLength(3);
    const identities = rows.map(({ apiVersion, kind, name, uid, parentUid }) => ({
      apiVersion,
      kind,
      name,
      uid,
      parentUid,
    }));
    for (const one of found) expect(identities).toContainEqual(one);
  });

  guarantee('many protected rows elsewhere, or many unprotected ones below, hide none', async (store) => {
    const [root, other] = [await given(store), await given(store)];
    for (const _ of upTo(30)) {
      await givenBelow(store, [root], 'Part');
      await givenBelow(store, [other], 'Part', isProtected);
    }
    expect(await reached(store, root)).toEqual([]);
    const guarded = await givenBelow(store, [root], 'Part', isProtected);
    expect(await reached(store, root)).toEqual([guarded.uid]);
  });

  guarantee('a tombstone whose dependent is live and protected is not free', async (store) => {
    const owner = await given(store);
    const dependent = await given(store, { ...isProtected, ownerReferences: [ownedBy(owner)] });
    await tombstone(store, owner);
    expect(await deleteRow(store, owner)).toEqual({ outcome: 'tombstoned', cascades: [] });
    expect((await reread(store, dependent)).deletionTimestamp).toBeNull();
  });
}

/** Writes that protect a row, while something above it is deleted. Needs a store whose transactions run at the same time. */
export function protectionRaces({ guarantee }: Suite): void {
  const protecting: Readonly<
    Record<string, (store: StoreUnderTest, rows: readonly [Resource, Resource, Resource]) => Promise<unknown>>
  > = {
    'protecting a row': (store, [, , leaf]) => store.writer.replace(replacement(leaf, isProtected)),
    'creating a protected row': (store, [root, middle, leaf]) =>
      store.writer.create(below([root, middle, leaf], isProtected)),
    'creating a protected row with an owner': (store, [, , leaf]) =>
      store.writer.create(creation({ ...isProtected, ownerReferences: [ownedBy(leaf)] })),
  };
  for (const [name, write] of Object.entries(protecting)) {
    guarantee(`${name} far below waits for the deletion that has looked already`, async (store) => {
      const rows = await chain(store);
      const [looked, goOn] = [signal(), signal()];
      const deletion = store.transactions.run(async (transaction) => {
        await transaction.deletion.lock(byUid(rows[0]), null);
        const found = await transaction.deletion.protectedFrom(rows[0].uid, 1);
        looked.send();
        await goOn.sent;
        await transaction.deletion.tombstone(rows[0].uid, { cascadeFinalizer: true, change: testChange });
        return found;
      });
      await looked.sent;
      let written = false;
      const writing = write(store, rows).then(() => {
        written = true;
      });
      await letOthersRun(store);
      expect(written).toBe(false);
      goOn.send();
      expect(await deletion).toEqual([]);
      await writing;
      expect((await reread(store, rows[0])).deletionTimestamp).not.toBeNull();
    });
  }

  guarantee(
    'adopting the parent of a protected row waits for a deletion above the new owner',
    async (store) => {
      const rows = await chain(store);
      const adopted = await given(store);
      await givenBelow(store, [adopted], 'Part', isProtected);
      const [looked, goOn] = [signal(), signal()];
      const deletion = store.transactions.run(async (transaction) => {
        await transaction.deletion.lock(byUid(rows[0]), null);
        const found = await transaction.deletion.protectedFrom(rows[0].uid, 1);
        looked.send();
        await goOn.sent;
        await transaction.deletion.tombstone(rows[0].uid, { cascadeFinalizer: true, change: testChange });
        return found;
      });
      await looked.sent;
      let written = false;
      const writing = store.writer.replace(adoption(adopted, ownedBy(rows[2]))).then(() => {
        written = true;
      });
      await letOthersRun(store);
      expect(written).toBe(false);
      goOn.send();
      expect(await deletion).toEqual([]);
      await writing;
    },
  );

  guarantee('a locked graph changes no more, and contains what came before the lock', async (store) => {
    const rows = await chain(store);
    const [locked, goOn] = [signal(), signal()];
    const reading = store.transactions.run(async ({ deletion }) => {
      await deletion.lock(byUid(rows[0]), null);
      const graph = await deletion.lockGraph(rows[0].uid, 100);
      locked.send();
      await goOn.sent;
      return graph;
    });
    await locked.sent;
    let written = 0;
    const writes = [
      store.writer.create(below(rows, {})),
      store.writer.create(creation({ ownerReferences: [ownedBy(rows[2])] })),
      store.writer.replace(replacement(rows[2])),
    ].map((write) =>
      write.then(() => {
        written += 1;
      }),
    );
    await letOthersRun(store);
    expect(written).toBe(0);
    goOn.send();
    expect([...(await reading).nodes.keys()]).toEqual(rows.map(({ uid }) => uid));
    await Promise.all(writes);
    const graph = await store.reader.deletionGraph(rows[0].uid, { limit: 100, follow: 'all' });
    expect(graph?.nodes.size).toBe(5);
  });

  guarantee(
    'of a deletion and a protection at the same time, the later one sees the earlier',
    async (store) => {
      for (const _ of upTo(20)) {
        const [root, , leaf] = await chain(store);
        const [refused] = await Promise.all([
          store.transactions.run(async (transaction) => {
            await transaction.deletion.lock(byUid(root), null);
            const found = await transaction.deletion.protectedFrom(root.uid, 1);
            if (found.length === 0)
              await transaction.deletion.tombstone(root.uid, { cascadeFinalizer: true, change: testChange });
            return found.length > 0;
          }),
          store.writer.replace(replacement(leaf, isProtected)),
        ]);
        const stored = await reread(store, root);
        expect(stored.deletionTimestamp === null).toBe(refused);
      }
    },
  );

  guarantee('protecting an immediate child and deleting its parent end without a deadlock', async (store) => {
    for (const _ of upTo(20)) {
      const root = await given(store);
      const child = await givenBelow(store, [root], 'Part');
      const [outcome] = await Promise.all([
        store.writer.replace(replacement(child, isProtected)),
        store.transactions.run(async (transaction) => {
          await transaction.deletion.lock(byUid(root), null);
          const found = await transaction.deletion.protectedFrom(root.uid, 1);
          return found.length > 0 ? null : deleteIn(transaction, byUid(root));
        }),
      ]);
      expect(['replaced', 'revisionMismatch']).toContain(outcome.outcome);
      const stored = await read(store, child);
      expect(stored?.deletionTimestamp === null).toBe(outcome.outcome === 'replaced');
    }
  });
}

async function chain(store: StoreUnderTest): Promise<readonly [Resource, Resource, Resource]> {
  const root = await given(store);
  const middle = await givenBelow(store, [root], 'Part');
  return [root, middle, await givenBelow(store, [root, middle], 'Screw')];
}

function below(ancestors: readonly Resource[], changes: Partial<CreateCommand>): CreateCommand {
  const steps = ancestors.map(({ kind, name }) => ({ group: 'example.dev', kind, name }));
  return creation({ collection: { group: 'example.dev', kind: 'Bolt', ancestors: steps }, ...changes });
}

async function reached(store: StoreUnderTest, row: Resource): Promise<readonly string[]> {
  return store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(row), null);
    return (await deletion.protectedFrom(row.uid, 100)).map(({ uid }) => uid);
  });
}
