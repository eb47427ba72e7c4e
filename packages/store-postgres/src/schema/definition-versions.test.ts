import { randomUUID } from 'node:crypto';
import { testDatabase } from '@platform/development/testing';
import { migrate, readMigrations } from '@platform/postgres';
import { openStore } from '../index.ts';

const database = testDatabase();

/** SQL that registers a kind as the previous release does. */
function registration(kind: string, parent: string | null): string {
  const plural = `${kind.toLowerCase()}s`;
  const spec = {
    group: 'example.dev',
    kind,
    plural,
    versions: [{ name: 'v1', served: true, storage: true }],
    parent: parent === null ? null : { apiVersion: 'example.dev/v1', kind: parent },
  };
  return `insert into resources (uid, api_version, kind, name, discriminator, spec) values ('${randomUUID()}',
    'platform.dev/v1alpha1', 'ResourceDefinition', '${plural}.example.dev', '${plural.padEnd(8, '0').slice(0, 8)}',
    '${JSON.stringify(spec)}')`;
}

it('an upgrade gives versions to the definitions that are stored, and the previous release goes on writing', async () => {
  const all = await readMigrations();
  const before = all.filter(({ name }) => name < '0012');
  await migrate({ url: database.url }, before);
  for (const [kind, parent] of [['Ship', null] as const, ['Deck', 'Ship'] as const]) {
    await database.sql.unsafe(registration(kind, parent));
  }
  expect(await migrate({ url: database.url }, all)).toHaveLength(all.length - before.length);

  const store = openStore({ url: database.url });
  try {
    const versionOf = async (plural: string) =>
      (await store.definitions.version('example.dev', plural))?.version;
    const versions = [await versionOf('ships'), await versionOf('decks')];
    expect(versions).toEqual([expect.any(String), expect.any(String)]);
    expect(
      await store.transactions.run(({ definitions }) =>
        definitions.heightBelow({ group: 'example.dev', kind: 'Ship' }, 9),
      ),
    ).toBe(1);

    const epoch = async () => Number((await database.sql`select epoch from catalog_epoch`)[0]?.['epoch']);
    const counted = await epoch();
    await database.sql.unsafe(registration('Oar', 'Ship'));
    await database.sql`update resources set spec = '{"group":"example.dev","kind":"Ship","plural":"ships","versions":[]}'
      where definition_kind = 'Ship'`;
    expect(await versionOf('oars')).toEqual(expect.any(String));
    expect(await versionOf('ships')).not.toBe(versions[0]);
    expect(await versionOf('decks')).toBe(versions[1]);
    expect(await epoch()).toBe(counted + 2);
  } finally {
    await store.close();
  }
});
