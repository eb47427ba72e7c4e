import { randomUUID } from 'node:crypto';
import { testStore } from '../../test/store.ts';

const fixture = testStore();
let made = 0;

const defaults = () => {
  made += 1;
  return {
    uid: randomUUID(),
    parent_uid: null as string | null,
    api_version: 'example.dev/v1',
    kind: 'Widget',
    name: `n${made}`,
    discriminator: `d${made.toString(36).padStart(7, '0')}`,
    spec: '{}',
    metadata: '{}',
    status: '{"controllers":{}}',
    owner_references: '[]',
    finalizers: '{}',
    revision: 1,
    generation: 1,
  };
};
type Row = ReturnType<typeof defaults>;

async function insert(changes: Partial<Row> = {}): Promise<Row> {
  const row = { ...defaults(), ...changes };
  await fixture.store.database.rows(
    `insert into resources (${Object.keys(row).join(', ')}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  );
  return row;
}

const update = (row: Row, assignment: string) =>
  fixture.store.database.rows(`update resources set ${assignment} where uid = $1`, [row.uid]);

const definition = { api_version: 'platform.dev/v1alpha1', kind: 'ResourceDefinition' };
const spec = (changes = {}) =>
  JSON.stringify({ group: 'example.dev', kind: 'Gadget', plural: 'gadgets', ...changes });
const owner = (uid: string) => JSON.stringify([{ uid, blockOwnerDeletion: false }]);

describe('the table refuses, whoever writes,', () => {
  const missing = randomUUID();
  const self = randomUUID();
  it.each<[string, Partial<Row>, string]>([
    ['a parent that is not there', { parent_uid: missing }, 'resources_parent_uid_fkey'],
    ['a row under itself', { uid: self, parent_uid: self }, 'resources_not_own_parent'],
    ['a row that owns itself', { uid: self, owner_references: owner(self) }, 'resources_not_own_owner'],
    ['owner references that are no list', { owner_references: '{}' }, 'jsonb_list_check'],
    ['a spec that is no object', { spec: '[]' }, 'json_document_check'],
    ['metadata that is no object', { metadata: '1' }, 'json_document_check'],
    ['a status that is no object', { status: 'null' }, 'json_document_check'],
    ['a discriminator that is too short', { discriminator: 'short' }, 'resource_discriminator_check'],
    [
      'a discriminator with a hyphen at its end',
      { discriminator: 'abcdefg-' },
      'resource_discriminator_check',
    ],
    ['a name that is too long', { name: 'a'.repeat(254) }, 'resource_name_check'],
    ['a name that is no DNS name', { name: 'a..b' }, 'resource_name_check'],
    ['a version without a group', { api_version: 'v1' }, 'resource_api_version_check'],
    ['a kind in lower case', { kind: 'widget' }, 'resource_kind_check'],
    ['a revision of zero', { revision: 0, generation: 0 }, 'resources_generation_within_revision'],
    ['a generation beyond the revision', { generation: 2 }, 'resources_generation_within_revision'],
    ['a null among finalizers', { finalizers: '{a,null}' }, 'resources_finalizers_flat'],
    [
      'an Organization with an owner',
      { api_version: 'platform.dev/v1alpha1', kind: 'Organization', owner_references: owner(missing) },
      'resources_built_in_has_no_parent_or_owner',
    ],
    ['a definition that claims nothing', { ...definition, name: 'a.b' }, 'resources_definition_complete'],
    [
      'a definition with another name than its plural and group',
      { ...definition, name: 'others.example.dev', spec: spec() },
      'resources_definition_complete',
    ],
  ])('%s', async (_what, changes, constraint) => {
    await expect(insert(changes)).rejects.toMatchObject({ constraint_name: constraint });
  });

  it('a definition below a parent', async () => {
    const parent = await insert();
    const child = insert({
      ...definition,
      name: 'gadgets.example.dev',
      spec: spec(),
      parent_uid: parent.uid,
    });
    await expect(child).rejects.toMatchObject({
      constraint_name: 'resources_built_in_has_no_parent_or_owner',
    });
  });

  it('one name twice under one parent, at the root too, whatever the version', async () => {
    const parent = await insert();
    for (const parent_uid of [null, parent.uid]) {
      const row = await insert({ parent_uid });
      const again = insert({ parent_uid, name: row.name, api_version: 'example.dev/v2' });
      await expect(again).rejects.toMatchObject({ constraint_name: 'resources_name_key' });
    }
  });

  it('one discriminator twice under one parent, at the root too, whatever the kind', async () => {
    const parent = await insert();
    for (const parent_uid of [null, parent.uid]) {
      const { discriminator } = await insert({ parent_uid });
      const again = insert({ parent_uid, discriminator, kind: 'Other' });
      await expect(again).rejects.toMatchObject({ constraint_name: 'resources_sibling_discriminator' });
    }
  });

  it('two definitions of one plural, and two of one group and kind', async () => {
    const row = await insert({ ...definition, name: 'gadgets.example.dev', spec: spec() });
    const plural = insert({ ...definition, name: 'gadgets.other.dev', spec: spec({ group: 'other.dev' }) });
    await expect(plural).rejects.toMatchObject({ constraint_name: 'resources_definition_plural' });
    const identity = insert({ ...definition, name: 'more.example.dev', spec: spec({ plural: 'more' }) });
    await expect(identity).rejects.toMatchObject({ constraint_name: 'resources_definition_identity' });
    await fixture.database.sql`delete from resources where uid = ${row.uid}`;
  });

  it('to take a parent away from its children', async () => {
    const parent = await insert();
    await insert({ parent_uid: parent.uid });
    const removal = fixture.store.database.rows('delete from resources where uid = $1', [parent.uid]);
    await expect(removal).rejects.toMatchObject({ constraint_name: 'resources_parent_uid_fkey' });
  });

  it.each([
    "name = 'other'",
    "kind = 'Other'",
    "discriminator = 'otherone'",
    'parent_uid = null',
    'uid = gen_random_uuid()',
    "api_version = 'other.dev/v1'",
  ])('a change of identity: %s', async (assignment) => {
    const parent = await insert();
    const row = await insert({ parent_uid: parent.uid });
    await expect(update(row, assignment)).rejects.toThrow('the identity of a resource cannot change');
  });

  it('a tombstone to be lifted or moved', async () => {
    const row = await insert();
    await update(row, 'deletion_timestamp = now()');
    await expect(update(row, 'deletion_timestamp = null')).rejects.toThrow('a tombstone is');
    await expect(update(row, "deletion_timestamp = now() + interval '1 hour'")).rejects.toThrow(
      'a tombstone is',
    );
  });
});

describe('the version of a definition', () => {
  const versions = async (plural = 'gadgets') => {
    const [{ epoch }] = (await fixture.database.sql`select epoch from catalog_epoch`) as unknown as [
      { epoch: string },
    ];
    return [
      (await fixture.store.definitions.version('example.dev', plural))?.version,
      Number(epoch),
    ] as const;
  };

  it('is another one when somebody edits, removes or truncates definitions in the database', async () => {
    const seen = [await versions()];
    const row = await insert({ ...definition, name: 'gadgets.example.dev', spec: spec() });
    seen.push(await versions());
    await update(row, `spec = '${spec({ versions: [] })}'`);
    seen.push(await versions());
    await fixture.database.sql`delete from resources where uid = ${row.uid}`;
    seen.push(await versions());
    await insert({ ...definition, name: 'gadgets.example.dev', spec: spec() });
    seen.push(await versions());
    await fixture.database.sql`truncate resources cascade`;
    seen.push(await versions());
    const set = seen.flatMap(([version]) => version ?? []);
    expect(set).toHaveLength(3);
    expect(new Set(set).size).toBe(3);
    // Replicas of the previous release compare a counter that grows.
    const counted = seen.map(([, epoch]) => epoch);
    expect(counted).toEqual([...new Set(counted)].sort((a, b) => a - b));
  });

  it('stays for status, finalizers and revisions of a definition, and for every other row', async () => {
    const row = await insert({ ...definition, name: 'gadgets.example.dev', spec: spec() });
    const before = await versions();
    await update(row, `status = '{"controllers":{"a":1}}', finalizers = '{x/a}', revision = 2`);
    await update(row, 'spec = spec');
    await update(await insert(), `spec = '{"a":1}', deletion_timestamp = now()`);
    expect(await versions()).toEqual(before);
  });

  it('stays when a definition above gets another schema', async () => {
    const sprocket = { kind: 'Sprocket', plural: 'sprockets' };
    const above = await insert({ ...definition, name: 'sprockets.example.dev', spec: spec(sprocket) });
    const parent = { apiVersion: 'example.dev/v1', kind: 'Sprocket' };
    const below = spec({ kind: 'Gizmo', plural: 'gizmos', parent });
    await insert({ ...definition, name: 'gizmos.example.dev', spec: below });
    const before = await versions('gizmos');
    await update(above, `spec = '${spec({ ...sprocket, versions: [] })}'`);
    expect((await versions('gizmos'))[0]).toBe(before[0]);
  });

  it('cannot be missing', async () => {
    const row = await insert({
      ...definition,
      name: 'cogs.example.dev',
      spec: spec({ kind: 'Cog', plural: 'cogs' }),
    });
    await expect(update(row, 'definition_version = null')).rejects.toThrow(
      'resources_definition_has_version',
    );
  });
});
