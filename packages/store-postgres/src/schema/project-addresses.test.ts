import { randomUUID } from 'node:crypto';
import { testDatabase } from '@platform/development/testing';
import { migrate, openDatabase, readMigrations } from '@platform/postgres';
import { createProjectOrigins, createProjectStores } from '../index.ts';

const testing = testDatabase();

// Attack: of two projects with one URL, the younger one gets the logins and tokens of the older one after the upgrade.
it('an upgrade leaves a URL that two projects share to the older one', async () => {
  const all = await readMigrations();
  await migrate(
    { url: testing.url },
    all.filter(({ name }) => name < '0014'),
  );
  const organization = randomUUID();
  await testing.sql`
    insert into resources (uid, api_version, kind, name, discriminator)
    values (${organization}, 'platform.dev/v1alpha1', 'Organization', 'default', 'abcdefgh')`;
  const insert = (name: string, createdAt: string, url: string, domains: string) => testing.sql`
    insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, custom_domains, owner_user, created_at)
    values (${randomUUID()}, ${name}, ${organization}, 'private', ${url}, ${new URL(url).origin}, ${domains}::text[],
      'o@example.dev', ${createdAt}::timestamptz)`;
  await insert('younger', '2026-02-01', 'https://twice.example.com/', '{https://own.example.com}');
  await insert('older', '2026-01-01', 'https://twice.example.com', '{}');
  await insert('domain', '2026-03-01', 'https://domain.example.com', '{https://twice.example.com}');
  await migrate({ url: testing.url }, all);

  const database = openDatabase({ url: testing.url, poolMax: 2 });
  try {
    const { projects } = createProjectStores(database);
    const contested = async (name: string) => (await projects.find(name))?.contested;
    expect(await contested('older')).toEqual([]);
    expect(await contested('younger')).toEqual(['https://twice.example.com']);
    expect(await contested('domain')).toEqual(['https://twice.example.com']);

    // The address stays contested until the younger project is written again, also after the older one is deleted.
    const origins = createProjectOrigins(database);
    expect(await origins.isProjectOrigin('https://twice.example.com')).toBe(true);
    await testing.sql`delete from projects where name = 'older'`;
    expect(await origins.isProjectOrigin('https://twice.example.com')).toBe(false);
    expect(await contested('younger')).toEqual(['https://twice.example.com']);
  } finally {
    await database.close();
  }
});
