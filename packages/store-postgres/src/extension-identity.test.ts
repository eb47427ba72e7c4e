import { testDatabase } from '@platform/development/testing';
import { migrate, readMigrations } from '@platform/postgres';

const database = testDatabase();

/** Applies the migrations before the one of the name, runs `before`, and applies the rest. */
async function upgrade(name: string, before: () => Promise<void>): Promise<void> {
  const migrations = await readMigrations();
  const index = migrations.findIndex((migration) => migration.name.endsWith(name));
  await migrate({ url: database.url }, migrations.slice(0, index));
  await before();
  await migrate({ url: database.url }, migrations);
}

const uid = (number: number) => `0197f0a0-0000-7000-8000-00000000000${number}`;

async function addProject(number: number, name: string): Promise<void> {
  await database.sql`
    insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
    values (${uid(number)}, ${name}, ${uid(9)}, 'private', ${`https://${name}.example`}, ${`https://${name}.example`}, 'o@example.dev')`;
}

const addExtension = (number: number, project: number, name: string, createdAt: string) => database.sql`
  insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets, created_at)
  values (${uid(number)}, ${uid(project)}, ${name}, '{}', 'sealed', '[]', ${createdAt})`;

it('keeps the client id of the oldest of several extensions that share one, and refuses further ones', async () => {
  await upgrade('_extension_identity.sql', async () => {
    await addProject(1, 'app-a-b');
    await addProject(2, 'app-a');
    await addExtension(3, 1, 'c', '2026-01-02T00:00:00Z');
    await addExtension(4, 2, 'b-c', '2026-01-01T00:00:00Z');
    await addExtension(5, 2, 'login', '2026-01-03T00:00:00Z');
    await database.sql`
      insert into oauth_signing_keys (sequence, public_key, sealed_private_key, created_at) values (1, '{}', 's', now())`;
  });
  expect(await database.sql`select uid, client_id from extensions order by uid`).toEqual([
    { uid: uid(3), client_id: null },
    { uid: uid(4), client_id: 'app-a-b-c' },
    { uid: uid(5), client_id: 'app-a-login' },
  ]);
  const [shared] = await database.sql`select retired_at <= now() as retired from oauth_signing_keys`;
  expect(shared).toEqual({ retired: true });
  // A replica of the release before writes no client id, and is held to it all the same.
  await database.sql`delete from extensions where uid = ${uid(3)}`;
  await expect(addExtension(6, 1, 'c', '2026-01-04T00:00:00Z')).rejects.toThrow('extensions_client_id_key');
});
