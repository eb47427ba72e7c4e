import { randomUUID } from 'node:crypto';
import { testDatabase } from '@platform/development/testing';
import { migrate, readMigrations } from '@platform/postgres';

const database = testDatabase();
const [root, child, leaf] = [randomUUID(), randomUUID(), randomUUID()];

/** Inserts a row as the previous release does: without the lists of ancestors. */
async function insert(uid: string, parent: string | null, name: string): Promise<void> {
  await database.sql`
    insert into resources (uid, parent_uid, api_version, kind, name, discriminator)
    values (${uid}, ${parent}, 'example.dev/v1', 'Widget', ${name}, ${uid.slice(0, 8)})`;
}

const listsOf = async (uid: string) =>
  (await database.sql`select ancestors, ancestor_uids, revision::int from resources where uid = ${uid}`)[0];

beforeAll(async () => {
  const all = await readMigrations();
  const before = all.filter(({ name }) => name < '0016');
  await migrate({ url: database.url }, before);
  await insert(root, null, 'acme');
  await insert(child, root, 'web');
  await insert(leaf, child, 'page');
  await migrate({ url: database.url }, all);
});

describe('the ancestors of a row', () => {
  it('are filled by the upgrade, and no revision changes', async () => {
    expect(await listsOf(root)).toEqual({ ancestors: [], ancestor_uids: [], revision: 1 });
    expect(await listsOf(leaf)).toEqual({
      ancestors: ['acme', 'web'],
      ancestor_uids: [root, child],
      revision: 1,
    });
  });

  it('are filled for a replica of the previous release, which does not send them', async () => {
    const uid = randomUUID();
    await insert(uid, leaf, 'below');
    expect(await listsOf(uid)).toMatchObject({
      ancestors: ['acme', 'web', 'page'],
      ancestor_uids: [root, child, leaf],
    });
  });

  it.each([
    ['ancestors', leaf],
    ['ancestor_uids', leaf],
    ['ancestors', root],
    ['ancestor_uids', root],
  ])('cannot change: %s of %s', async (column, uid) => {
    const other = column === 'ancestors' ? '{other}' : `{${randomUUID()}}`;
    await expect(
      database.sql.unsafe(`update resources set ${column} = '${other}' where uid = '${uid}'`),
    ).rejects.toThrow('the identity of a resource cannot change');
  });
});
