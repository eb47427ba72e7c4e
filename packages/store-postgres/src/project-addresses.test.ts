import { testDatabase } from '@platform/development/testing';
import { migrate, readMigrations } from '@platform/postgres';

const database = testDatabase();

const uid = (number: number) => `0197f0a0-0000-7000-8000-00000000000${number}`;

const addProject = (number: number, name: string, url: string) => database.sql`
  insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user, created_at)
  values (${uid(number)}, ${name}, ${uid(9)}, 'private', ${url}, ${new URL(url).origin}, 'o@example.dev',
    ${`2026-01-0${number}T00:00:00Z`})`;

/** 2,000 letters that do not compress, as 0.24.0 took them. */
const long = Array.from({ length: 2_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
);

it('gives the addresses of projects of 0.24.0 to the oldest of them, and leaves out those that no index can hold', async () => {
  const migrations = await readMigrations();
  const index = migrations.findIndex(({ name }) => name.endsWith('_project_addresses.sql'));
  await migrate({ url: database.url }, migrations.slice(0, index));
  await addProject(1, 'older', 'https://shared.example/');
  await addProject(2, 'younger', 'https://shared.example');
  await addProject(3, 'long', `https://long.example/${long.join('')}`);
  const warnings: unknown[] = [];
  const ignore = () => {};
  const warn = (_message: string, fields?: Readonly<Record<string, unknown>>) =>
    void warnings.push(fields?.['notice']);
  await migrate(
    { url: database.url, logger: { debug: ignore, info: ignore, warn, error: ignore } },
    migrations,
  );
  // A replica of the release before writes such a URL during the upgrade.
  await addProject(4, 'later', `https://later.example/${long.join('')}`);
  expect(
    await database.sql`select project_uid, address, contested from project_addresses order by 1`,
  ).toEqual([
    { project_uid: uid(1), address: 'https://shared.example', contested: false },
    { project_uid: uid(2), address: 'https://shared.example', contested: true },
  ]);
  expect(warnings).toEqual([
    expect.stringContaining('of project younger belongs to an older project'),
    'the URL of project long is too long: no login ends there until the project has another one',
  ]);
});
