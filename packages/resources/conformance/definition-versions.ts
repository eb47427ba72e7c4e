import type { DefinitionVersion } from '../src/model/definition.ts';
import { StaleDefinitions } from '../src/ports/definitions.ts';
import {
  adoption,
  byPath,
  byUid,
  collection,
  creation,
  definitionCreation,
  definitionSpec,
  edition,
  given,
  givenDefinition,
  givenOrganization,
  ownedBy,
  read,
  replacement,
  testChange,
  versionOf,
} from './builders.ts';
import { deleteRow, outcomeOf, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const shape = { group: 'example.dev', kind: 'Widget' };
const gadget = { group: 'example.dev', kind: 'Gadget' };

/** The versions of definitions, and requests that were resolved with an earlier version. */
export function definitionVersions({ guarantee }: Suite): void {
  guarantee(
    'a definition has a new version after every create, edit, tombstone and removal',
    async (store) => {
      const seen: unknown[] = [];
      const look = async () =>
        void seen.push((await store.definitions.version('example.dev', 'widgets'))?.version);
      for (const _ of [1, 2]) {
        await look();
        const definition = await givenDefinition(store, shape);
        await look();
        await store.writer.replace(edition(definition));
        await look();
        await tombstone(store, definition);
        await look();
        await deleteRow(store, definition);
      }
      expect(seen.filter((version) => version === undefined)).toHaveLength(2);
      expect(new Set(seen).size).toBe(seen.length - 1);
    },
  );

  guarantee('a definition that is removed by SQL has no version', async (store) => {
    const definition = await givenDefinition(store, shape);
    const before = await versionOf(store, definition);
    await store.removeRow(definition.uid);
    expect(await versionOf(store, definition)).toBeNull();
    await expectStale(store.writer.create(creation({ definition: before })));
  });

  guarantee('a version does not change when other rows are written', async (store) => {
    const definition = await givenDefinition(store, shape);
    const before = await versionOf(store, definition);
    const row = await given(store);
    await store.writer.replace(replacement(row));
    await deleteRow(store, row);
    await givenOrganization(store, 'acme');
    const foreign = { group: 'other.dev', kind: 'ResourceDefinition', ancestors: [] };
    await given(store, { collection: foreign, apiVersion: 'other.dev/v1' });
    await store.writer.create(definitionCreation(shape, { name: definition.name }));
    await store.writer.replace(replacement(definition, { revision: 9 }));
    const other = await givenDefinition(store, gadget);
    await store.writer.replace(edition(other));
    await tombstone(store, other);
    await deleteRow(store, other);
    expect(await versionOf(store, definition)).toEqual(before);
  });

  guarantee('a version changes when a definition above appears, disappears or moves', async (store) => {
    const part = await givenDefinition(store, { group: 'example.dev', kind: 'Part', parent: shape });
    const screw = await givenDefinition(store, {
      group: 'example.dev',
      kind: 'Screw',
      parent: { group: 'example.dev', kind: 'Part' },
    });
    const seen = [await versionOf(store, screw)];
    const look = async () => void seen.push(await versionOf(store, screw));
    const widget = await givenDefinition(store, shape);
    await look();
    const moved = definitionSpec({ ...shape, parent: { group: 'platform.dev', kind: 'Organization' } });
    await store.writer.replace(replacement(widget, { spec: moved, specChanged: true }));
    await look();
    await store.removeRow(widget.uid);
    await look();
    expect(new Set(seen.map((version) => version?.version)).size).toBe(4);
    expect(await versionOf(store, part)).not.toBeNull();
  });

  guarantee('every request with an earlier version fails as stale and writes nothing', async (store) => {
    const row = await given(store, { finalizers: ['x/a'] });
    const stale = await staleVersion(store);
    const command = creation({ definition: stale });
    const owner = ownedBy(await given(store));
    await expectStale(store.writer.create(command));
    await expectStale(store.writer.replace(replacement(row, { definition: stale })));
    await expectStale(store.writer.replace({ ...adoption(row, owner), definition: stale }));
    await expectAllStale(store, stale, byUid(row));
    await expectAllStale(store, stale, byPath(row));
    expect(await read(store, row)).toEqual(row);
    expect(await read(store, { ...row, uid: command.uid })).toBeNull();
  });

  guarantee('a stale definition is reported before any other fault', async (store) => {
    const row = await given(store);
    const stale = await staleVersion(store);
    const absent = { ...row, name: 'absent', uid: creation().uid };
    for (const ref of [byUid(absent), byPath(absent), byPath(absent, row)]) {
      await expectAllStale(store, stale, ref);
    }
    const where = collection('Part', absent);
    await expectStale(store.writer.create(creation({ definition: stale, collection: where })));
    await expectStale(store.writer.create(creation({ definition: stale, name: row.name })));
    await expectStale(store.writer.replace(replacement(absent, { definition: stale })));
    await expectStale(store.writer.replace(replacement(row, { definition: stale, revision: 9 })));
    await expectStale(store.reader.list(where, { limit: 1, after: null }, stale));
  });

  guarantee('a request with the current version succeeds while other definitions change', async (store) => {
    const definition = await givenDefinition(store, shape);
    const row = await given(store, { finalizers: ['x/a'] });
    const current = await versionOf(store, definition);
    await store.writer.replace(edition(await givenDefinition(store, gadget)));
    const outcomes: string[] = [];
    for (const request of requestsAt(store, current, byPath(row))) outcomes.push(await outcomeOf(request()));
    expect(outcomes).toEqual(['read', 'report', 'page', 'written', 'written', 'locked']);
    expect(await outcomeOf(store.writer.create(creation({ definition: current })))).toBe('created');
    const latest = (await read(store, row)) ?? row;
    expect(await outcomeOf(store.writer.replace(replacement(latest, { definition: current })))).toBe(
      'replaced',
    );
  });

  guarantee(
    'in a batch of concurrent requests, only those of the stale definition are stale',
    async (store) => {
      const current = await versionOf(store, await givenDefinition(store, gadget));
      const stale = await staleVersion(store);
      const rows = [await given(store), await given(store)] as const;
      for (const request of [
        (definition: DefinitionVersion, row: (typeof rows)[number]) =>
          store.reader.get(byPath(row), definition),
        (definition: DefinitionVersion, row: (typeof rows)[number]) =>
          store.writer.replaceStatus({
            change: testChange,
            definition,
            ref: byPath(row),
            slot: 'a',
            value: '1',
          }),
        (definition: DefinitionVersion, row: (typeof rows)[number]) =>
          store.writer.changeFinalizers({
            change: testChange,
            definition,
            ref: byPath(row),
            add: ['x/b'],
            remove: [],
            limit: 64,
          }),
        (definition: DefinitionVersion) => store.writer.create(creation({ definition })),
      ]) {
        const [late, good] = await Promise.all([
          outcomeOf(request(stale, rows[0])),
          outcomeOf(request(current, rows[1])),
        ]);
        expect(late).toBe('staleDefinitions');
        expect(['read', 'written', 'created']).toContain(good);
      }
    },
  );

  guarantee('a definition that is written in a transaction gets its new version at commit', async (store) => {
    const definition = await givenDefinition(store, shape);
    const row = await given(store);
    const before = await versionOf(store, definition);
    await store.transactions.run(async ({ writer }) => {
      await writer.replace(edition(definition));
      expect(await versionOf(store, definition)).toEqual(before);
      expect(await store.reader.get(byUid(row), before)).toMatchObject({ outcome: 'read', resource: row });
    });
    expect(await versionOf(store, definition)).not.toEqual(before);
  });
}

/** An outdated version of the definition of widgets. */
async function staleVersion(store: StoreUnderTest): Promise<DefinitionVersion> {
  const definition = await givenDefinition(store, shape);
  const stale = await versionOf(store, definition);
  await store.writer.replace(edition(definition));
  return stale;
}

async function expectStale(request: Promise<unknown>): Promise<void> {
  await expect(request).rejects.toBeInstanceOf(StaleDefinitions);
}

async function expectAllStale(...wanted: Parameters<typeof requestsAt>): Promise<void> {
  for (const request of requestsAt(...wanted)) await expectStale(request());
}

/** One request of every kind except create and replace. */
function requestsAt(
  { reader, writer, transactions }: StoreUnderTest,
  definition: DefinitionVersion,
  ref: ReturnType<typeof byUid> | ReturnType<typeof byPath>,
): readonly (() => Promise<{ readonly outcome: string }>)[] {
  return [
    () => reader.get(ref, definition),
    () => reader.blockers(ref, 10, definition),
    () => reader.list(collection('Widget'), { limit: 10, after: null }, definition),
    () => writer.replaceStatus({ change: testChange, definition, ref, slot: 'a', value: '1' }),
    () =>
      writer.changeFinalizers({ change: testChange, definition, ref, add: [], remove: ['x/a'], limit: 64 }),
    () => transactions.run(({ deletion }) => deletion.lock(ref, definition)),
  ];
}
