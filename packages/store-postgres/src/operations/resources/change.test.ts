import { harness } from '@platform/garbage-collector/conformance';
import type { ChangeContext, Operation, Resource } from '@platform/resources';
import { below, byUid, creation, given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';

const fixture = testStore();

const by = (operation: Operation, cascadeId: string | null = null): ChangeContext => ({
  operation,
  actor: { type: 'operator', id: 'a "quoted", {name}\\' },
  requestId: `request-${operation}`,
  reason: 'because, null',
  cascadeId,
  sourceAddress: '192.0.2.1',
  userAgent: null,
});
const stored = (operation: Operation, cascadeId: string | null = null, cause = operation) => [
  ...[
    operation,
    'operator',
    'a "quoted", {name}\\',
    `request-${cause}`,
    'because, null',
    cascadeId,
    '192.0.2.1',
    null,
  ],
];

/** The context that the row has, when it is that of the last write. */
async function written(row: Resource): Promise<unknown> {
  const [found] = await fixture.store.database.rows<readonly [string | null]>(
    'select array_to_json(written)::text from resources where uid = $1::uuid and written_revision = revision',
    [row.uid],
  );
  return JSON.parse(found?.[0] ?? 'null');
}

it('a row has the context of its last write', async () => {
  const { writer } = fixture.store;
  const row = await given(fixture.store, { change: by('create') });
  expect(await written(row)).toEqual(stored('create'));
  await writer.replaceStatus({
    change: by('status'),
    definition: null,
    ref: byUid(row),
    slot: 'a',
    value: '1',
  });
  expect(await written(row)).toEqual(stored('status'));
  const finalizers = { add: ['x/a'], remove: [], limit: 64 };
  await writer.changeFinalizers({
    change: by('finalizers'),
    definition: null,
    ref: byUid(row),
    ...finalizers,
  });
  expect(await written(row)).toEqual(stored('finalizers'));
});

it('the context of each write in a batch is its own', async () => {
  const commands = (['create', 'restore', 'apply'] as const).map((operation) =>
    creation({ change: by(operation) }),
  );
  await Promise.all(commands.map((command) => fixture.store.writer.create(command)));
  for (const command of commands) {
    expect(await written({ uid: command.uid } as Resource)).toEqual(stored(command.change.operation));
  }
});

it('a write by SQL does not pass for the one before', async () => {
  const row = await given(fixture.store, { change: by('create') });
  await fixture.store.database.rows('update resources set revision = revision + 1 where uid = $1::uuid', [
    row.uid,
  ]);
  expect(await written(row)).toBeNull();
});

it('cascades of the collector inherit the deletion that they come from', async () => {
  const { store } = fixture;
  const root = await given(store);
  const path = [root];
  for (const name of ['a', 'b', 'c']) {
    path.push(
      await given(store, {
        collection: below('Part', ...path),
        name,
        finalizers: name === 'c' ? ['x/a'] : [],
      }),
    );
  }
  const cascadeId = '3f0e8c9a-0000-4000-8000-000000000001';
  await store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(root), null);
    await deletion.tombstone(root.uid, { cascadeFinalizer: true, change: by('delete', cascadeId) });
    await deletion.cascade(root.uid, { ...by('delete', cascadeId), operation: 'cascade' });
  });
  const collected = {
    ...store,
    rows: undefined,
    close: async () => {},
    endLease: async () => {},
    removeRow: async () => {},
    reset: async () => {},
    linkTypedChild: async () => {},
  };
  await harness(collected as never).drain();
  const [, a, b, c] = path as [Resource, Resource, Resource, Resource];
  expect(await written(root)).toEqual(stored('delete', cascadeId));
  expect(await written(a)).toEqual(stored('finalizers', cascadeId, 'delete'));
  expect(await written(b)).toEqual(stored('cascade', cascadeId, 'delete'));
  expect(await written(c)).toEqual(stored('cascade', cascadeId, 'delete'));

  // Somebody else takes the last finalizer off: what the collector does then is still for the deletion.
  const finalizers = { add: [], remove: ['x/a'], limit: 64 };
  await store.writer.changeFinalizers({
    change: by('status'),
    definition: null,
    ref: byUid(c),
    ...finalizers,
  });
  expect(await written(c)).toEqual(stored('status'));
  await harness(collected as never).drain();
  expect(await written(c)).toBeNull();
});
