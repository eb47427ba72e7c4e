import type { GroupKind } from '../src/model/definition.ts';
import type { Resource } from '../src/model/resource.ts';
import type { DefinitionFacts } from '../src/ports/definitions.ts';
import {
  collection,
  definitionCreation,
  definitionSpec,
  given,
  givenBelow,
  givenDefinition,
  replacement,
  versionOf,
} from './builders.ts';
import { tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const kind = (name: string): GroupKind => ({ group: 'example.dev', kind: name });

/** `DefinitionSource.load`. */
export function definitions({ guarantee }: Suite): void {
  guarantee('a definition is loaded by group and plural, with its ancestors, leaf first', async (store) => {
    const widget = await givenDefinition(store, kind('Widget'));
    const part = await givenDefinition(store, { ...kind('Part'), parent: kind('Widget') });
    const screw = await givenDefinition(store, { ...kind('Screw'), parent: kind('Part') });
    await givenDefinition(store, { group: 'other.dev', kind: 'Gear', parent: kind('Widget') });
    expect(await store.definitions.load('example.dev', 'screws')).toEqual({
      version: await versionOf(store, screw),
      chain: [screw, part, widget],
    });
    expect(await store.definitions.load('example.dev', 'widgets')).toEqual({
      version: await versionOf(store, widget),
      chain: [widget],
    });
    expect(await store.definitions.load('other.dev', 'gears')).toMatchObject({
      chain: [{ kind: 'ResourceDefinition' }, widget],
    });
  });

  guarantee('an unregistered plural loads nothing', async (store) => {
    await givenDefinition(store, kind('Widget'));
    await given(store, { name: 'gadgets.example.dev' });
    for (const [group, plural] of [
      ['other.dev', 'widgets'],
      ['example.dev', 'widget'],
      ['example.dev', 'gadgets'],
      ['example.dev', 'Widgets'],
    ] as const) {
      expect(await store.definitions.load(group, plural)).toEqual({ version: null, chain: [] });
      expect(await store.definitions.version(group, plural)).toBeNull();
    }
  });

  guarantee('a null parent means no parent', async (store) => {
    const widget = await givenDefinition(store, { ...kind('Widget'), parent: null });
    expect(await store.definitions.load('example.dev', 'widgets')).toMatchObject({ chain: [widget] });
  });

  guarantee('a chain ends before a missing definition and before a built-in parent', async (store) => {
    const widget = await givenDefinition(store, kind('Widget'));
    const part = await givenDefinition(store, { ...kind('Part'), parent: kind('Widget') });
    const screw = await givenDefinition(store, { ...kind('Screw'), parent: kind('Part') });
    const organization = { group: 'platform.dev', kind: 'Organization' };
    const team = await givenDefinition(store, { ...kind('Squad'), parent: organization });
    expect(await store.definitions.load('example.dev', 'squads')).toMatchObject({ chain: [team] });
    await store.removeRow(widget.uid);
    expect(await store.definitions.load('example.dev', 'screws')).toMatchObject({ chain: [screw, part] });
    await store.removeRow(part.uid);
    expect(await store.definitions.load('example.dev', 'screws')).toMatchObject({ chain: [screw] });
  });

  guarantee('a tombstoned definition is loaded with its timestamp', async (store) => {
    const widget = await givenDefinition(store, kind('Widget'));
    const marked = await tombstone(store, widget);
    expect(await store.definitions.load('example.dev', 'widgets')).toMatchObject({ chain: [marked] });
  });

  guarantee('a definition with 32 ancestors is loaded with all of them', async (store) => {
    const chain: Resource[] = [];
    for (let level = 0; level <= 32; level += 1) {
      const parent = level === 0 ? null : kind(`Level${level - 1}`);
      chain.unshift(await givenDefinition(store, { ...kind(`Level${level}`), parent }));
    }
    expect((await store.definitions.load('example.dev', 'level32s')).chain).toEqual(chain);
  });

  guarantee(
    'the version of all definitions changes with each of them, and with nothing else',
    async (store) => {
      const seen = [await store.definitions.catalogVersion()];
      const changesWith = async (write: () => Promise<unknown>) => {
        await write();
        const version = await store.definitions.catalogVersion();
        expect(seen).not.toContain(version);
        seen.push(version);
      };
      let widget = null as unknown as Resource;
      await changesWith(async () => {
        widget = await givenDefinition(store, kind('Widget'));
      });
      const versions = [{ name: 'v2', served: true, storage: true, schema: null }];
      const spec = definitionSpec({ ...kind('Widget'), versions });
      await changesWith(() => store.writer.replace(replacement(widget, { spec, specChanged: true })));
      await given(store, { name: 'one' });
      expect(await store.definitions.catalogVersion()).toBe(seen.at(-1));
      const undone = store.transactions.run(async ({ writer }) => {
        await writer.create(definitionCreation(kind('Undone')));
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await store.definitions.catalogVersion()).toBe(seen.at(-1));
      await changesWith(() => tombstone(store, widget));
      await changesWith(() => store.removeRow(widget.uid));
    },
  );

  guarantee('a replaced definition is loaded with its new spec', async (store) => {
    const widget = await givenDefinition(store, kind('Widget'));
    const versions = [{ name: 'v2', served: true, storage: true, schema: null }];
    const spec = definitionSpec({ ...kind('Widget'), versions });
    await store.writer.replace(replacement(widget, { spec, specChanged: true }));
    expect(await store.definitions.load('example.dev', 'widgets')).toMatchObject({
      chain: [{ revision: 2, generation: 2, spec }],
    });
  });
}

/** `DefinitionFacts`. */
export function definitionFacts({ guarantee }: Suite): void {
  guarantee('definitions are found by plural, and by group and kind', async (store) => {
    const widget = await givenDefinition(store, kind('Widget'));
    const gear = await givenDefinition(store, { group: 'other.dev', kind: 'Gear' });
    const claiming = (plural: string, identity: GroupKind, except: string | null = null) =>
      facts(store, async (known) => {
        const rows = await known.claiming(plural, identity, except);
        return rows.map((row) => row.name).sort();
      });
    expect(await claiming('widgets', kind('Fresh'))).toEqual([widget.name]);
    expect(await claiming('fresh', kind('Widget'))).toEqual([widget.name]);
    expect(await claiming('gears', kind('Widget'))).toEqual([gear.name, widget.name]);
    expect(await claiming('fresh', { group: 'other.dev', kind: 'Widget' })).toEqual([]);
    expect(await claiming('widgets', kind('Widget'), widget.uid)).toEqual([]);
    expect(await claiming('gears', kind('Widget'), widget.uid)).toEqual([gear.name]);
    await tombstone(store, widget);
    expect(await claiming('widgets', kind('Widget'))).toEqual([widget.name]);
  });

  guarantee('the chain of a kind goes from itself to its root, up to the limit', async (store) => {
    const widget = await givenDefinition(store, kind('Widget'));
    const part = await givenDefinition(store, { ...kind('Part'), parent: kind('Widget') });
    const screw = await givenDefinition(store, { ...kind('Screw'), parent: kind('Part') });
    const chain = (identity: GroupKind, limit: number) =>
      facts(store, (known) => known.chain(identity, limit));
    expect(await chain(kind('Screw'), 10)).toEqual([screw, part, widget]);
    expect(await chain(kind('Screw'), 2)).toEqual([screw, part]);
    expect(await chain(kind('Widget'), 10)).toEqual([widget]);
    expect(await chain(kind('Fresh'), 10)).toEqual([]);
    expect(await chain({ group: 'other.dev', kind: 'Screw' }, 10)).toEqual([]);
  });

  guarantee('the height below a kind is the length of its longest branch, up to the limit', async (store) => {
    const height = (name: string, limit = 40) =>
      facts(store, (known) => known.heightBelow(kind(name), limit));
    await givenDefinition(store, kind('Widget'));
    expect(await height('Widget')).toBe(0);
    expect(await height('Fresh')).toBe(0);
    await givenDefinition(store, { ...kind('Leaf'), parent: kind('Widget') });
    await givenDefinition(store, { ...kind('Part'), parent: kind('Widget') });
    await givenDefinition(store, { ...kind('Screw'), parent: kind('Part') });
    await givenDefinition(store, { ...kind('Thread'), parent: kind('Screw') });
    await givenDefinition(store, {
      group: 'other.dev',
      kind: 'Gear',
      parent: { group: 'other.dev', kind: 'Thread' },
    });
    expect(await height('Widget')).toBe(3);
    expect(await height('Part')).toBe(2);
    expect(await height('Thread')).toBe(0);
    expect(await height('Widget', 2)).toBe(2);
  });

  guarantee('chains that SQL made circular end at the limit', async (store) => {
    const one = await givenDefinition(store, kind('One'));
    await givenDefinition(store, { ...kind('Two'), parent: kind('One') });
    const spec = definitionSpec({ ...kind('One'), parent: kind('Two') });
    await store.writer.replace(replacement(one, { spec }));
    expect(await facts(store, (known) => known.chain(kind('One'), 33))).toHaveLength(33);
    expect(await facts(store, (known) => known.heightBelow(kind('One'), 33))).toBe(33);
    expect((await store.definitions.load('example.dev', 'ones')).chain.length).toBeGreaterThan(1);
  });

  guarantee('the versions that instances are stored at are told, by plural', async (store) => {
    const versions = ['v1', 'v2', 'v3'].map((name) => ({
      name,
      served: true,
      storage: name === 'v3',
      schema: null,
    }));
    await givenDefinition(store, { ...kind('Part'), versions });
    await givenDefinition(store, { ...kind('Other'), versions });
    const stored = async () => await store.definitions.storedVersions(['parts', 'others', 'nothings']);
    expect(await stored()).toEqual(new Map());
    await tombstone(store, await givenBelow(store, [], 'Part', { apiVersion: 'example.dev/v2' }));
    await givenBelow(store, [], 'Part', { apiVersion: 'example.dev/v1' });
    await givenBelow(store, [], 'Part', { apiVersion: 'example.dev/v1' });
    const found = await stored();
    expect([...found.keys()]).toEqual(['parts']);
    expect([...(found.get('parts') ?? [])].sort()).toEqual(['v1', 'v2']);
  });

  guarantee(
    'instances are counted by stored version up to a limit, tombstoned ones included',
    async (store) => {
      const definition = await givenDefinition(store, kind('Part'));
      const count = (limit = 100) =>
        facts(store, (known) => known.countInstances(definition.uid, kind('Part'), limit));
      expect(await count()).toEqual(new Map());
      const widget = await given(store);
      await tombstone(store, await givenBelow(store, [widget], 'Part'));
      await givenBelow(store, [widget], 'Part');
      await givenBelow(store, [], 'Part', { apiVersion: 'example.dev/v2' });
      await givenBelow(store, [], 'Part', {
        apiVersion: 'example.dev.other/v1',
        collection: { ...collection('Part'), group: 'example.dev.other' },
      });
      expect(await count()).toEqual(
        new Map([
          ['example.dev/v1', 2],
          ['example.dev/v2', 1],
        ]),
      );
      expect(await count(1)).toEqual(
        new Map([
          ['example.dev/v1', 1],
          ['example.dev/v2', 1],
        ]),
      );
    },
  );

  guarantee('the parent of instances is that of any row of the kind', async (store) => {
    const parent = (name: string) => facts(store, (known) => known.parentOfInstances(kind(name)));
    expect(await parent('Part')).toBe(undefined);
    const widget = await given(store);
    await tombstone(store, await givenBelow(store, [widget], 'Part'));
    expect(await parent('Part')).toEqual(kind('Widget'));
    expect(await parent('Widget')).toBe(null);
    expect(await facts(store, (known) => known.parentOfInstances({ group: 'other.dev', kind: 'Part' }))).toBe(
      undefined,
    );
  });
}

/** Runs `look` in a transaction of its own. */
export function facts<T>(store: StoreUnderTest, look: (known: DefinitionFacts) => Promise<T>): Promise<T> {
  return store.transactions.run((transaction) => look(transaction.definitions));
}
