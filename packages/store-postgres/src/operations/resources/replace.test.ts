import { waitingForLocks, whileHeld } from '@platform/development/testing';
import {
  deletionProtectionAnnotation,
  maxRowsAbove,
  type ReplaceCommand,
  type Resource,
} from '@platform/resources';
import { outcomeOf } from '@platform/resources/conformance';
import { creation, given, reread, testChange } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';

const fixture = testStore(longLockTimeout);

function replacement(row: Resource, changes: Partial<ReplaceCommand> = {}): ReplaceCommand {
  const { uid, revision, apiVersion, labels, metadata } = row;
  return {
    change: testChange,
    definition: null,
    uid,
    revision,
    apiVersion,
    labels,
    metadata,
    spec: '{"new":1.10}',
    specChanged: true,
    finalizers: [],
    ownerReferences: [],
    addedOwners: [],
    ...changes,
  };
}

const replace = (row: Resource, changes: Partial<ReplaceCommand> = {}) =>
  fixture.store.writer.replace(replacement(row, changes));

const definition = (kind: string) =>
  given(fixture.store, {
    collection: { group: 'platform.dev', kind: 'ResourceDefinition', ancestors: [] },
    apiVersion: 'platform.dev/v1alpha1',
    name: `${kind.toLowerCase()}s.example.dev`,
    spec: JSON.stringify({ group: 'example.dev', kind, plural: `${kind.toLowerCase()}s` }),
  });

describe('concurrent replacements', () => {
  it('each end in their own way', async () => {
    const rows = await Promise.all(Array.from({ length: 4 }, () => given(fixture.store)));
    const [first, second, third, fourth] = rows as [Resource, Resource, Resource, Resource];
    const outcomes = await Promise.all([
      replace(first),
      replace(second, { revision: 7 }),
      replace({ ...third, uid: creation().uid }),
      outcomeOf(replace(fourth, { definition: { uid: fourth.uid, version: fourth.uid } })),
      replace(third, { finalizers: ['x/a'], specChanged: false }),
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'replaced', resource: { uid: first.uid, revision: 2, generation: 2, spec: '{"new":1.10}' } },
      { outcome: 'revisionMismatch', currentRevision: 1 },
      { outcome: 'missing' },
      'staleDefinitions',
      { outcome: 'replaced', resource: { uid: third.uid, generation: 1, finalizers: ['x/a'] } },
    ]);
  });

  it('of one row leave it to one of them', async () => {
    const row = await given(fixture.store);
    const outcomes = await Promise.all([replace(row), replace(row), replace(row)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'replaced',
      'revisionMismatch',
      'revisionMismatch',
    ]);
  });

  it('fail alone when one of them is poisoned', async () => {
    const [poisoned, healthy] = await Promise.all([given(fixture.store), given(fixture.store)]);
    const attempts = [replace(poisoned, { spec: '{"not": json' }), replace(healthy)];
    expect(await Promise.allSettled(attempts)).toMatchObject([
      { reason: { code: '22P02' } },
      { value: { outcome: 'replaced' } },
    ]);
  });
});

it('a batch of replacements does not wait for the one whose row is locked', async () => {
  const [locked, other] = await Promise.all([given(fixture.store), given(fixture.store)]);
  const lock = `select from resources where uid = '${locked.uid}' for update`;
  await whileHeld(fixture.database, [lock], async ({ release }) => {
    const stuck = replace(locked);
    expect(await replace(other)).toMatchObject({ outcome: 'replaced', resource: { uid: other.uid } });
    await waitingForLocks(fixture.database, 1);
    await release();
    expect(await stuck).toMatchObject({ outcome: 'replaced', resource: { uid: locked.uid } });
  });
});

describe('a replacement against a change of its definition', () => {
  it('is stale when the definition changed while it waited, and holds up nobody else', async () => {
    const gadgets = await definition('Gadget');
    const [row, other] = await Promise.all([given(fixture.store), given(fixture.store)]);
    const version = await fixture.store.definitions.version('example.dev', 'gadgets');
    const edit = `update resources set definition_version = gen_random_uuid() where uid = '${gadgets.uid}'`;
    const lock = `select from resources where uid = '${gadgets.uid}' for update`;
    await whileHeld(fixture.database, [lock, edit], async ({ release }) => {
      const stuck = outcomeOf(replace(row, { definition: version }));
      expect(await replace(other)).toMatchObject({ outcome: 'replaced' });
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await stuck).toBe('staleDefinitions');
    });
    expect(await reread(fixture.store, row)).toEqual(row);
  });

  it('goes on when the definition is as it was', async () => {
    const gizmos = await definition('Gizmo');
    const row = await given(fixture.store);
    const version = await fixture.store.definitions.version('example.dev', 'gizmos');
    const lock = `select from resources where uid = '${gizmos.uid}' for update`;
    await whileHeld(fixture.database, [lock], async ({ release }) => {
      const stuck = replace(row, { definition: version });
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await stuck).toMatchObject({ outcome: 'replaced' });
    });
  });
});

describe('a replacement that lost its row while it waited', () => {
  it.each([
    ['to another write', 'update resources set revision = revision + 1 where uid =', 'revisionMismatch'],
    ['to a removal', 'delete from resources where uid =', 'missing'],
  ])('%s says so', async (_how, statement, outcome) => {
    const row = await given(fixture.store);
    await whileHeld(fixture.database, [`${statement} '${row.uid}'`], async ({ release }) => {
      const stuck = replace(row);
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await stuck).toMatchObject({ outcome });
    });
  });
});

describe('below a chain of owners that is too long', () => {
  const long = maxRowsAbove + 1;
  const tooLarge = { code: 'owner_graph_too_large' };
  let last: Resource;
  beforeAll(async () => {
    const link = (n: string) => `('00000000-0000-4000-8000-' || lpad((${n})::text, 12, '0'))`;
    const owner = `jsonb_build_array(jsonb_build_object('apiVersion', 'example.dev/v1', 'kind', 'Widget',
      'name', 'link-' || (n - 1), 'uid', ${link('n - 1')}, 'blockOwnerDeletion', false))`;
    await fixture.database.sql.unsafe(`
      insert into resources (uid, api_version, kind, name, discriminator, owner_references)
      select ${link('n')}::uuid, 'example.dev/v1', 'Widget', 'link-' || n, lpad(n::text, 8, '0'),
        case when n = 1 then '[]'::jsonb else ${owner} end
      from generate_series(1, ${long}) as n`);
    const [row] = await fixture.database.sql.unsafe(`select ${link(String(long))} as uid`);
    last = {
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      name: `link-${long}`,
      uid: row?.['uid'],
    } as Resource;
  });

  const ownersOf = ({ apiVersion, kind, name, uid }: Resource) => [
    { apiVersion, kind, name, uid, blockOwnerDeletion: false },
  ];

  it('a row gets no owner there, and the row stays as it was', async () => {
    const row = await given(fixture.store);
    const ownerReferences = ownersOf(last);
    const adopting = replace(row, { ownerReferences, addedOwners: ownerReferences });
    await expect(adopting).rejects.toMatchObject(tooLarge);
    expect(await reread(fixture.store, row)).toEqual(row);
  });

  it('a row is created there, and is not protected afterwards', async () => {
    const row = await given(fixture.store, { ownerReferences: ownersOf(last) });
    const metadata = JSON.stringify({ annotations: { [deletionProtectionAnnotation]: 'true' } });
    const { ownerReferences } = row;
    await expect(replace(row, { metadata, ownerReferences })).rejects.toMatchObject(tooLarge);
    const protecting = given(fixture.store, { metadata, ownerReferences });
    await expect(protecting).rejects.toMatchObject(tooLarge);
  });
});

it('two rows that take each other as owner at the same moment do not both get it', async () => {
  const rows = await Promise.all([given(fixture.store), given(fixture.store)]);
  const adopt = (row: Resource, { apiVersion, kind, name, uid }: Resource) => {
    const owners = [{ apiVersion, kind, name, uid, blockOwnerDeletion: false }];
    return replace(row, { ownerReferences: owners, addedOwners: owners });
  };
  const outcomes = await Promise.all([adopt(rows[0], rows[1]), adopt(rows[1], rows[0])]);
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['ownerCycle', 'replaced']);
});
