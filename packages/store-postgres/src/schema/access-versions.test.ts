import { randomUUID } from 'node:crypto';
import { testDatabase, waitingForLocks, whileHeld } from '@platform/development/testing';
import { migrate } from '@platform/postgres';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const project = randomUUID();
let made = 0;

async function versionOf(): Promise<string> {
  const [row] = await database.sql`select version from access_rules`;
  return row?.['version'];
}

/** Whether the work renews the version of roles and bindings. */
async function renews(work: () => Promise<unknown>): Promise<boolean> {
  const before = await versionOf();
  await work();
  return (await versionOf()) !== before;
}

const addressOf = (name: string) => `shop+${name}@sa.example.dev`;

const creation = (name: string) => `
  insert into service_accounts (uid, project_uid, name, email, issuer_url, claims)
  values ('${randomUUID()}', '${project}', '${name}', '${addressOf(name)}', 'https://issuer.example.dev', '{}')`;
const create = (name: string) => database.sql.unsafe(creation(name));
const change = (name: string) => database.sql`
  update service_accounts set claims = '{"sub":"x"}', revision = revision + 1 where name = ${name}`;
const remove = (name: string) => database.sql`delete from service_accounts where name = ${name}`;

function bindingTo(name: string): string {
  made += 1;
  const subjects = [
    { kind: 'User', name: 'ann@example.dev' },
    { kind: 'ServiceAccount', name: addressOf(name).toUpperCase() },
  ];
  return `insert into resources (uid, api_version, kind, name, discriminator, spec) values ('${randomUUID()}',
    'platform.dev/v1alpha1', 'RoleBinding', 'b${made}', 'd${String(made).padStart(7, '0')}',
    '${JSON.stringify({ roleRef: { name: 'viewer' }, subjects })}')`;
}

beforeAll(async () => {
  await database.sql`
    insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
    values (${project}, 'shop', ${randomUUID()}, 'private', 'https://shop.example.dev', 'https://shop.example.dev', 'ann@example.dev')`;
});

// Attack: a member of a project writes accounts as fast as possible, and requests of everybody with bindings end with 503.
it('an account that no binding names leaves the version of roles and bindings, and so does a write that finds none', async () => {
  expect(await renews(() => create('free'))).toBe(false);
  expect(await renews(() => change('free'))).toBe(false);
  expect(await renews(() => remove('free'))).toBe(false);
  expect(await renews(() => remove('free'))).toBe(false);
});

it('an account that a binding names renews the version when it comes and when it goes', async () => {
  await database.sql.unsafe(bindingTo('bound'));
  expect(await renews(() => create('bound'))).toBe(true);
  expect(await renews(() => change('bound'))).toBe(false);
  expect(await renews(() => remove('bound'))).toBe(true);
  expect(await renews(() => remove('bound'))).toBe(false);
});

it('an account that a binding names which has not committed yet renews the version, so that no replica misses it', async () => {
  const note = 'create table version_of_binding as select version from access_rules';
  await whileHeld(database, [bindingTo('racing'), note], async ({ release }) => {
    // On a connection of its own, since it waits.
    const creating = whileHeld(database, [creation('racing')], async () => {});
    await waitingForLocks(database, 1);
    await release();
    await creating;
  });
  const [row] = await database.sql`select version from version_of_binding`;
  expect(await versionOf()).not.toBe(row?.['version']);
});
