import { below, byUid, given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';

const fixture = testStore();

it('reads of one tick are answered each with its own row, from paths of every depth and by uid', async () => {
  const { store } = fixture;
  const chain = [await given(store)];
  for (let depth = 2; depth <= 32; depth += 1) {
    chain.push(await given(store, { collection: below('Widget', ...chain) }));
  }
  const paths = chain.map((_, index) => ({
    by: 'path' as const,
    steps: below('Widget', ...chain.slice(0, index + 1)).ancestors,
  }));
  const reads = [
    ...paths.map((ref) => store.reader.get(ref, null)),
    ...chain.map((row) => store.reader.get(byUid(row), null)),
    store.reader.get({ by: 'path', steps: [{ group: 'example.dev', kind: 'Widget', name: 'absent' }] }, null),
  ];
  expect(await Promise.all(reads)).toEqual(
    [...chain, ...chain, null].map((resource) => ({ outcome: 'read', resource, cursor: expect.any(String) })),
  );
});

it('an item of a kind that a definition claims, or that is built in, is not found as an unregistered one', async () => {
  const { store } = fixture;
  const unregistered = (uid: string, apiVersion: string) =>
    store.reader.get({ by: 'unregistered', uid, apiVersion }, null);
  const row = await given(store, { collection: below('Claimed'), apiVersion: 'example.dev/v1' });
  expect(await unregistered(row.uid, 'example.dev/v1')).toMatchObject({ resource: { uid: row.uid } });
  const definition = await given(store, {
    collection: { group: 'platform.dev', kind: 'ResourceDefinition', ancestors: [] },
    apiVersion: 'platform.dev/v1alpha1',
    name: 'claims.example.dev',
    spec: '{"group":"example.dev","kind":"Claimed","plural":"claims"}',
  });
  expect(await unregistered(row.uid, 'example.dev/v1')).toMatchObject({ outcome: 'read', resource: null });
  expect(await unregistered(definition.uid, 'platform.dev/v1alpha1')).toMatchObject({
    outcome: 'read',
    resource: null,
  });
});

it('a read that the database cannot understand fails alone', async () => {
  const { store } = fixture;
  const row = await given(store);
  const reads = [
    store.reader.get(byUid(row), null),
    store.reader.get({ ...byUid(row), uid: 'no uuid' }, null),
  ];
  expect(await Promise.allSettled(reads)).toMatchObject([
    { value: { resource: row } },
    { reason: { code: '22P02' } },
  ]);
});
