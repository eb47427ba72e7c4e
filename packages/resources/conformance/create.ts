import {
  byPath,
  byUid,
  collection,
  creation,
  given,
  givenBelow,
  givenDefinition,
  namesIn,
  ownedBy,
  read,
  testChange,
  versionOf,
} from './builders.ts';
import { outcomeOf, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `ResourceWriter.create`. */
export function create({ guarantee }: Suite): void {
  guarantee(
    'a created row has the content of the command and starts at revision and generation 1',
    async (store) => {
      const command = creation({
        spec: '{"size":3}',
        labels: { 'example.dev/tier': 'web', app: '' },
        metadata: '{"annotations":{"a":"b"}}',
        finalizers: ['example.dev/b', 'example.dev/a'],
      });
      const outcome = await store.writer.create(command);
      expect(outcome).toEqual({
        outcome: 'created',
        resource: {
          uid: command.uid,
          apiVersion: 'example.dev/v1',
          kind: 'Widget',
          parentUid: null,
          ancestors: [],
          ancestorUids: [],
          name: command.name,
          discriminator: command.discriminator,
          labels: { 'example.dev/tier': 'web', app: '' },
          metadata: '{"annotations":{"a":"b"}}',
          spec: '{"size":3}',
          status: '{"controllers":{}}',
          revision: 1,
          generation: 1,
          finalizers: ['example.dev/b', 'example.dev/a'],
          ownerReferences: [],
          deletionTimestamp: null,
          creationTimestamp: expect.stringMatching(timestamp),
        },
      });
    },
  );

  guarantee('every read returns the row that create returned', async (store) => {
    const owner = await given(store);
    const row = await given(store, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    expect(await store.reader.get(byUid(row), null)).toMatchObject({ outcome: 'read', resource: row });
    expect(await store.reader.get(byPath(row), null)).toMatchObject({ outcome: 'read', resource: row });
  });

  guarantee('the parent of a row is the last of its ancestors', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const screw = await givenBelow(store, [widget, part], 'Screw');
    expect([part.parentUid, screw.parentUid]).toEqual([widget.uid, part.uid]);
  });

  guarantee('a row has the names and uids of its ancestors, root first, in every answer', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const screw = await givenBelow(store, [widget, part], 'Screw');
    const lists = { ancestors: [widget.name, part.name], ancestorUids: [widget.uid, part.uid] };
    expect(widget).toMatchObject({ ancestors: [], ancestorUids: [] });
    expect(screw).toMatchObject(lists);
    expect(await read(store, screw)).toMatchObject(lists);
    const page = await store.reader.list(collection('Screw', widget, part), { limit: 1, after: null }, null);
    expect(page).toMatchObject({ items: [lists] });
    const written = await store.writer.replaceStatus({
      change: testChange,
      definition: null,
      ref: byUid(screw),
      slot: 'a',
      value: '1',
    });
    expect(written).toMatchObject({ resource: lists });
  });

  guarantee('a missing ancestor at any height refuses a create', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    for (const ancestors of [
      [{ ...widget, name: 'absent' }, part],
      [widget, { ...part, name: 'absent' }],
      [widget, { ...part, kind: 'Screw' }],
      [widget, { ...part, apiVersion: 'other.dev/v1' }],
    ]) {
      const command = creation({ collection: collection('Screw', ...ancestors) });
      expect(await store.writer.create(command)).toEqual({ outcome: 'ancestorMissing' });
      expect(
        await store.reader.get({ ...byUid(widget), kind: 'Screw', uid: command.uid }, null),
      ).toMatchObject({
        outcome: 'read',
        resource: null,
      });
    }
  });

  guarantee(
    'an ancestor of the same name under another parent does not replace a missing one',
    async (store) => {
      const here = await given(store);
      const there = await given(store);
      const part = await givenBelow(store, [there], 'Part');
      const command = creation({ collection: collection('Screw', here, part) });
      expect(await store.writer.create(command)).toEqual({ outcome: 'ancestorMissing' });
    },
  );

  guarantee(
    'a tombstoned ancestor at any height refuses a create, and the refusal names it',
    async (store) => {
      for (const height of [0, 1, 2]) {
        const widget = await given(store);
        const part = await givenBelow(store, [widget], 'Part');
        const screw = await givenBelow(store, [widget, part], 'Screw');
        const ancestors = [widget, part, screw];
        const dying = ancestors[height] ?? screw;
        await tombstone(store, dying);
        const command = creation({ collection: collection('Thread', ...ancestors) });
        expect(await store.writer.create(command)).toEqual({
          outcome: 'ancestorTerminating',
          name: dying.name,
        });
        expect(await namesIn(store, command.collection)).toEqual([]);
      }
    },
  );

  guarantee('a tombstoned definition refuses a create', async (store) => {
    const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Widget' });
    await tombstone(store, definition);
    const command = creation({ definition: await versionOf(store, definition) });
    expect(await store.writer.create(command)).toEqual({ outcome: 'definitionTerminating' });
    expect(await namesIn(store, command.collection)).toEqual([]);
  });

  guarantee('a live definition allows a create', async (store) => {
    const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Widget' });
    const command = creation({ definition: await versionOf(store, definition) });
    expect(await store.writer.create(command)).toMatchObject({ outcome: 'created' });
  });

  guarantee('a name is taken for its kind under its parent, live or tombstoned', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const again = creation({ collection: collection('Part', widget), name: part.name });
    expect(await store.writer.create(again)).toEqual({ outcome: 'nameTaken' });
    await tombstone(store, part);
    expect(await store.writer.create(again)).toEqual({ outcome: 'nameTaken' });
    expect(await store.writer.create(creation({ name: widget.name }))).toEqual({ outcome: 'nameTaken' });
  });

  guarantee('a name is taken in every version of the group', async (store) => {
    const widget = await given(store);
    const again = creation({ name: widget.name, apiVersion: 'example.dev/v2' });
    expect(await store.writer.create(again)).toEqual({ outcome: 'nameTaken' });
  });

  guarantee('a name is free for another kind, another group and another parent', async (store) => {
    const one = await given(store);
    const two = await given(store);
    const { name } = await givenBelow(store, [one], 'Part');
    for (const command of [
      creation({ name, collection: collection('Part', two) }),
      creation({ name, collection: collection('Screw', one) }),
      creation({ name, collection: collection('Part') }),
      creation({
        name,
        apiVersion: 'other.dev/v1',
        collection: { ...collection('Part', one), group: 'other.dev' },
      }),
    ]) {
      expect(await store.writer.create(command)).toMatchObject({ outcome: 'created' });
    }
  });

  guarantee('a discriminator is taken for every kind under one parent', async (store) => {
    const widget = await given(store);
    const { discriminator } = await givenBelow(store, [widget], 'Part');
    await refusesDiscriminator(store, creation({ discriminator, collection: collection('Screw', widget) }));
    await refusesDiscriminator(
      store,
      creation({ discriminator: widget.discriminator, collection: collection('Part') }),
    );
  });

  guarantee('a discriminator is free under another parent', async (store) => {
    const one = await given(store);
    const two = await given(store);
    const { discriminator } = await givenBelow(store, [one], 'Part');
    expect(await givenBelow(store, [two], 'Part', { discriminator })).toMatchObject({ discriminator });
    expect(await given(store, { discriminator })).toMatchObject({ discriminator });
  });

  guarantee('a name and a discriminator are free after the row is removed', async (store) => {
    const { name, discriminator, uid } = await given(store);
    await store.removeRow(uid);
    expect(await given(store, { name, discriminator })).toMatchObject({ name, discriminator });
  });
}

async function refusesDiscriminator(
  store: StoreUnderTest,
  command: ReturnType<typeof creation>,
): Promise<void> {
  expect(await store.writer.create(command)).toEqual({ outcome: 'discriminatorTaken' });
  const ref = { by: 'uid', uid: command.uid, group: 'example.dev', kind: command.collection.kind } as const;
  expect(await store.reader.get(ref, null)).toMatchObject({ outcome: 'read', resource: null });
}

/** The order of the refusals of `ResourceWriter.create`: each command also has all later faults. */
export function createOrder({ guarantee }: Suite): void {
  guarantee('a create is refused in the order of the port', async (store) => {
    const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Part' });
    const dying = await given(store);
    const taken = await givenBelow(store, [dying], 'Part');
    const live = await given(store);
    const takenLive = await givenBelow(store, [live], 'Part');
    const stale = await versionOf(store, definition);
    await tombstone(store, dying);
    await tombstone(store, definition);
    const owner = ownedBy(dying);
    const all = creation({
      definition: await versionOf(store, definition),
      name: taken.name,
      discriminator: taken.discriminator,
      ownerReferences: [owner],
      collection: collection('Part', dying),
    });
    const inLive = {
      ...all,
      collection: collection('Part', live),
      name: takenLive.name,
      discriminator: takenLive.discriminator,
    };
    const expectOutcome = async (command: typeof all, outcome: string) =>
      expect(await outcomeOf(store.writer.create(command))).toBe(outcome);

    await expectOutcome({ ...all, definition: stale }, 'staleDefinitions');
    const absent = { ...live, name: 'absent' };
    await expectOutcome({ ...all, collection: collection('Part', dying, absent) }, 'ancestorMissing');
    await expectOutcome(all, 'ancestorTerminating');
    await expectOutcome(inLive, 'definitionTerminating');
    await expectOutcome({ ...inLive, definition: null }, 'ownersRefused');
    await expectOutcome({ ...inLive, definition: null, ownerReferences: [] }, 'nameTaken');
    const renamed = { ...inLive, definition: null, ownerReferences: [], name: 'free' };
    await expectOutcome(renamed, 'discriminatorTaken');
    expect(await read(store, live)).toEqual(live);
    expect(await namesIn(store, collection('Part', live))).toEqual([takenLive.name]);
  });
}
