import type { Transaction } from '../src/ports/transactions.ts';
import {
  byUid,
  collection,
  created,
  creation,
  definitionCreation,
  given,
  givenBelow,
  givenDefinition,
  namesIn,
  ownedBy,
  read,
  replacement,
  testChange,
  versionOf,
} from './builders.ts';
import { upTo } from './steps.ts';
import type { Suite } from './suite.ts';

/** `Transactions.run`. */
export function transactions({ guarantee }: Suite): void {
  guarantee('a transaction returns the result of its work', async (store) => {
    const value = { any: 'value' };
    expect(await store.transactions.run(async () => value)).toBe(value);
    expect(await store.transactions.run(async () => undefined)).toBeUndefined();
  });

  guarantee('a rejected transaction writes nothing and rejects with the same error', async (store) => {
    const held = await given(store);
    const removed = await given(store);
    const child = await givenBelow(store, [held], 'Part');
    const definition = await versionOf(
      store,
      await givenDefinition(store, { group: 'example.dev', kind: 'Widget' }),
    );
    const reason = new Error('changed my mind');
    const command = creation();
    const attempt = store.transactions.run(async (transaction) => {
      await everyWrite(transaction, command);
      await transaction.deletion.lock(byUid(held), null);
      await transaction.deletion.cascade(held.uid, testChange);
      await transaction.deletion.tombstone(held.uid, { cascadeFinalizer: true, change: testChange });
      await transaction.deletion.lock(byUid(removed), null);
      await transaction.deletion.remove(removed.uid, testChange);
      throw reason;
    });
    await expect(attempt).rejects.toBe(reason);
    for (const row of [held, removed, child]) expect(await read(store, row)).toEqual(row);
    expect(await namesIn(store, collection('Widget'))).not.toContain(command.name);
    expect(await store.definitions.load('example.dev', 'gadgets')).toMatchObject({ chain: [] });
    const after = creation({ definition });
    expect(await store.writer.create(after)).toMatchObject({ outcome: 'created' });
  });

  guarantee('a locked row shows the revision of the last writer, and other writers wait', async (store) => {
    const row = await given(store);
    const ref = byUid(row);
    const lockAndWrite = () =>
      store.transactions.run(async ({ lockRow, writer }) => {
        const locked = await lockRow(ref, null);
        await writer.replaceStatus({ change: testChange, definition: null, ref, slot: 'a', value: '1' });
        return locked?.revision;
      });
    const seen = await Promise.all(upTo(4).map(lockAndWrite));
    expect([...seen].sort()).toEqual([1, 2, 3, 4]);
    await store.removeRow(row.uid);
    expect(await store.transactions.run(({ lockRow }) => lockRow(ref, null))).toBeNull();
  });

  guarantee('a transaction whose work throws synchronously rejects', async (store) => {
    const reason = new Error('at once');
    const attempt = store.transactions.run(() => {
      throw reason;
    });
    await expect(attempt).rejects.toBe(reason);
  });

  guarantee('the store keeps working after many rejected transactions', async (store) => {
    const attempts = upTo(40).map(() =>
      store.transactions.run(async (transaction) => {
        await transaction.writer.create(creation());
        throw new Error('no');
      }),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(await namesIn(store, collection('Widget'))).toEqual([]);
    await given(store);
  });

  guarantee('a transaction sees its own writes, and others see them after commit', async (store) => {
    const parent = creation();
    const row = await store.transactions.run(async ({ writer }) => {
      const resource = created(await writer.create(parent));
      const below = creation({
        collection: collection('Part', resource),
        ownerReferences: [ownedBy(resource)],
      });
      expect(await writer.create(below)).toMatchObject({ outcome: 'created' });
      expect(await writer.replace(replacement(resource))).toMatchObject({ resource: { revision: 2 } });
      expect(await read(store, resource)).toBeNull();
      return resource;
    });
    expect(await read(store, row)).toMatchObject({ revision: 2 });
    expect(await namesIn(store, collection('Part', row))).toHaveLength(1);
  });

  guarantee(
    'reads and definitions of a transaction show its own writes, and nobody else sees them',
    async (store) => {
      const identity = { group: 'example.dev', kind: 'Gauge' };
      await store.transactions.run(async ({ writer, reader, catalog }) => {
        const row = created(await writer.create(creation()));
        expect((await reader.get(byUid(row), null)).resource).toMatchObject({ name: row.name });
        expect((await store.reader.get(byUid(row), null)).resource).toBeNull();
        created(await writer.create(definitionCreation(identity)));
        expect(await catalog.load('example.dev', 'gauges')).toMatchObject({ chain: [expect.anything()] });
        expect(await store.definitions.load('example.dev', 'gauges')).toMatchObject({ chain: [] });
      });
      expect(await store.definitions.load('example.dev', 'gauges')).toMatchObject({
        chain: [expect.anything()],
      });
    },
  );

  guarantee('a nested unit of work that rejects undoes its own writes and no others', async (store) => {
    const row = await given(store);
    const reason = new Error('only this part');
    await store.transactions.run(async (transaction) => {
      const slot = (name: string) => ({
        change: testChange,
        definition: null,
        ref: byUid(row),
        slot: name,
        value: '1',
      });
      await transaction.writer.replaceStatus(slot('before'));
      const refused = transaction.nested(async (nested) => {
        await nested.writer.replaceStatus(slot('inside'));
        await nested.nested(({ writer }) => writer.replaceStatus(slot('deeper')));
        throw reason;
      });
      await expect(refused).rejects.toBe(reason);
      expect(await transaction.nested(({ writer }) => writer.replaceStatus(slot('kept')))).toMatchObject({
        outcome: 'written',
      });
    });
    expect(await read(store, row)).toMatchObject({
      revision: 3,
      status: '{"controllers":{"before":1,"kept":1}}',
    });
  });

  guarantee('a refused write leaves its transaction usable', async (store) => {
    const taken = await given(store);
    const names = await store.transactions.run(async ({ writer, deletion }) => {
      const refusals = [
        await writer.create(creation({ name: taken.name })),
        await writer.create(creation({ discriminator: taken.discriminator })),
        await writer.create(creation({ ownerReferences: [ownedBy(taken, { name: 'other' })] })),
        await writer.create(creation({ collection: collection('Part', { ...taken, name: 'absent' }) })),
        await writer.replace(replacement(taken, { revision: 7 })),
        await deletion.lock(byUid({ ...taken, kind: 'Part' }), null),
      ];
      const row = created(await writer.create(creation()));
      return [...refusals.map((refusal) => refusal.outcome), row.name];
    });
    expect(names).toEqual([
      'nameTaken',
      'discriminatorTaken',
      'ownersRefused',
      'ancestorMissing',
      'revisionMismatch',
      'missing',
      expect.any(String),
    ]);
    expect(await namesIn(store, collection('Widget'))).toContain(names.at(-1));
  });
}

async function everyWrite({ writer }: Transaction, command: ReturnType<typeof creation>): Promise<void> {
  const row = created(await writer.create(command));
  await writer.replace(replacement(row, { spec: '{"a":1}' }));
  await writer.replaceStatus({
    change: testChange,
    definition: null,
    ref: byUid(row),
    slot: 'a',
    value: '1',
  });
  await writer.changeFinalizers({
    change: testChange,
    definition: null,
    ref: byUid(row),
    add: ['x/a'],
    remove: [],
    limit: 64,
  });
  created(await writer.create(definitionCreation({ group: 'example.dev', kind: 'Gadget' })));
}
