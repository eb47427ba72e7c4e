import type { CatalogEpoch } from '../src/ports/catalog-epoch.ts';
import { StaleDefinitions } from '../src/ports/stale-definitions.ts';
import {
  adoption,
  byPath,
  byUid,
  collection,
  creation,
  definitionCreation,
  edition,
  given,
  givenDefinition,
  givenOrganization,
  ownedBy,
  read,
  replacement,
} from './builders.ts';
import { deleteRow, outcomeOf, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const shape = { group: 'example.dev', kind: 'Widget' };

/** The catalog's epoch, and what a request that was judged by an older one comes to. */
export function epoch({ guarantee }: Suite): void {
  guarantee(
    'the epoch grows with every create, edit, tombstone and removal of a definition',
    async (store) => {
      const seen = [await store.definitions.epoch()];
      const look = async () => void seen.push(await store.definitions.epoch());
      const definition = await givenDefinition(store, shape);
      await look();
      await store.writer.replace(edition(definition));
      await look();
      await tombstone(store, definition);
      await look();
      await deleteRow(store, definition);
      await look();
      await store.transactions.run(({ writer }) => writer.create(definitionCreation(shape)));
      await look();
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
      expect(seen).toHaveLength(6);
    },
  );

  guarantee('the epoch grows when a definition is removed behind the store', async (store) => {
    const definition = await givenDefinition(store, shape);
    const before = await store.definitions.epoch();
    await store.removeRow(definition.uid);
    expect(await store.definitions.epoch()).toBeGreaterThan(before);
    await expectStale(store.writer.create(creation({ epoch: before })));
  });

  guarantee(
    'the epoch stays where it is for every other kind, and for a refused definition',
    async (store) => {
      const definition = await givenDefinition(store, shape);
      const before = await store.definitions.epoch();
      const row = await given(store);
      await store.writer.replace(replacement(row));
      await deleteRow(store, row);
      await givenOrganization(store, 'acme');
      const foreign = { group: 'other.dev', kind: 'ResourceDefinition', ancestors: [] };
      await given(store, { collection: foreign, apiVersion: 'other.dev/v1' });
      await store.writer.create(definitionCreation(shape, { name: definition.name }));
      await store.writer.replace(replacement(definition, { revision: 9 }));
      expect(await store.definitions.epoch()).toBe(before);
    },
  );

  guarantee(
    'every request that was judged by an older catalog is told so, and writes nothing',
    async (store) => {
      const row = await given(store, { finalizers: ['x/a'] });
      const stale = await store.definitions.epoch();
      await givenDefinition(store, shape);
      const command = creation({ epoch: stale });
      const owner = ownedBy(await given(store));
      await expectStale(store.writer.create(command));
      await expectStale(store.writer.replace(replacement(row, { epoch: stale })));
      await expectStale(store.writer.replace({ ...adoption(row, owner), epoch: stale }));
      await expectAllStale(store, stale, byUid(row));
      await expectAllStale(store, stale, byPath(row));
      expect(await read(store, row)).toEqual(row);
      expect(await read(store, { ...row, uid: command.uid })).toBeNull();
    },
  );

  guarantee('that the catalog moved is told before anything else is found', async (store) => {
    const row = await given(store);
    const stale = await store.definitions.epoch();
    await givenDefinition(store, shape);
    const absent = { ...row, name: 'absent', uid: creation().uid };
    for (const ref of [byUid(absent), byPath(absent), byPath(absent, row)]) {
      await expectAllStale(store, stale, ref);
    }
    const where = collection('Part', absent);
    await expectStale(store.writer.create(creation({ epoch: stale, collection: where })));
    await expectStale(store.writer.create(creation({ epoch: stale, name: row.name })));
    await expectStale(store.writer.replace(replacement(absent, { epoch: stale })));
    await expectStale(store.writer.replace(replacement(row, { epoch: stale, revision: 9 })));
    await expectStale(store.reader.list(where, { limit: 1, after: null }, stale));
  });

  guarantee('a request that was judged by the current catalog goes through', async (store) => {
    await givenDefinition(store, shape);
    const row = await given(store, { finalizers: ['x/a'] });
    const current = await store.definitions.epoch();
    const outcomes: string[] = [];
    for (const request of requestsAt(store, current, byPath(row))) outcomes.push(await outcomeOf(request()));
    expect(outcomes).toEqual(['read', 'report', 'page', 'written', 'written', 'locked']);
    expect(await store.writer.create(creation({ epoch: current }))).toMatchObject({ outcome: 'created' });
    const latest = (await read(store, row)) ?? row;
    const outcome = await store.writer.replace(replacement(latest, { epoch: current }));
    expect(outcome).toMatchObject({ outcome: 'replaced' });
  });

  guarantee(
    'a definition that is written in a transaction moves the epoch when it commits',
    async (store) => {
      const row = await given(store);
      const before = await store.definitions.epoch();
      await store.transactions.run(async ({ writer }) => {
        await writer.create(definitionCreation(shape));
        expect(await store.definitions.load('example.dev', 'widgets')).toEqual({ epoch: before, chain: [] });
        expect(await store.reader.get(byUid(row), before)).toEqual({ outcome: 'read', resource: row });
      });
      expect(await store.definitions.epoch()).toBeGreaterThan(before);
    },
  );
}

async function expectStale(request: Promise<unknown>): Promise<void> {
  await expect(request).rejects.toBeInstanceOf(StaleDefinitions);
}

async function expectAllStale(...wanted: Parameters<typeof requestsAt>): Promise<void> {
  for (const request of requestsAt(...wanted)) await expectStale(request());
}

/** One request of every kind but create and replace. */
function requestsAt(
  { reader, writer, transactions }: StoreUnderTest,
  epoch: CatalogEpoch,
  ref: ReturnType<typeof byUid> | ReturnType<typeof byPath>,
): readonly (() => Promise<{ readonly outcome: string }>)[] {
  return [
    () => reader.get(ref, epoch),
    () => reader.blockers(ref, 10, epoch),
    () => reader.list(collection('Widget'), { limit: 10, after: null }, epoch),
    () => writer.replaceStatus({ epoch, ref, slot: 'a', value: '1' }),
    () => writer.changeFinalizers({ epoch, ref, add: [], remove: ['x/a'], limit: 64 }),
    () => transactions.run(({ deletion }) => deletion.lock(ref, epoch)),
  ];
}
