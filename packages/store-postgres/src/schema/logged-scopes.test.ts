import { randomUUID } from 'node:crypto';
import { testDatabase } from '@platform/development/testing';
import { migrate, readMigrations } from '@platform/postgres';

const database = testDatabase();
const [farm, field, inside, dangling, other] = [0, 1, 2, 3, 4].map(() => randomUUID()) as [
  string,
  string,
  string,
  string,
  string,
];

/** Inserts a row as a replica of the release before does, which does not know what the log stores. */
async function insert(uid: string, kind: string, parent: string | null = null, spec: object = {}) {
  const apiVersion = kind === 'RoleBinding' ? 'platform.dev/v1alpha1' : 'example.dev/v1';
  await database.sql.unsafe(`
    insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
    values ('${uid}', ${parent === null ? 'null' : `'${parent}'`}, '${apiVersion}', '${kind}', '${uid}', '${uid.slice(0, 8)}',
      '${JSON.stringify(spec)}')`);
}

const scoped = (uid: string) => ({ roleRef: { name: 'r' }, subjects: [], scope: { uid } });

const logged = async (uid: string) =>
  (await database.sql`select scope_uids::text as scope from changes where uid = ${uid} order by seq`).map(
    (row) => row['scope'],
  );

beforeAll(async () => {
  const all = await readMigrations();
  const before = all.filter(({ name }) => name < '0039');
  await migrate({ url: database.url }, before);
  const gone = randomUUID();
  await insert(farm, 'Farm');
  await insert(field, 'Field', farm);
  await insert(gone, 'Field', farm);
  await insert(inside, 'RoleBinding', null, scoped(field));
  await insert(dangling, 'RoleBinding', null, scoped(gone));
  await database.sql`delete from resources where uid = ${gone}`;
  await migrate({ url: database.url }, all);
}, 60_000);

it('an upgrade gives the entries of RoleBindings their scope, also where it is gone', async () => {
  expect(await logged(inside)).toEqual([`{${farm},${field}}`]);
  expect(await logged(dangling)).toEqual([expect.stringMatching(`^\\{${farm},`)]);
  expect(await logged(farm)).toEqual([null]);
});

it('the writes of a replica of the release before have it, too', async () => {
  await insert(other, 'RoleBinding', null, scoped(field));
  await database.sql`update resources set spec = '{"subjects":[]}', revision = revision + 1 where uid = ${other}`;
  await database.sql`delete from resources where uid = ${inside}`;
  expect(await logged(other)).toEqual([`{${farm},${field}}`, null]);
  expect(await logged(inside)).toEqual([`{${farm},${field}}`, `{${farm},${field}}`]);
});
