import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brokenRows } from '../../../test/broken-rows.ts';
import { given } from '../../../test/rows.ts';
import { checks } from './index.ts';

const { fixture, singletons, sql, look, put, definition, organization, breakages } = brokenRows();

const page = readFileSync(new URL('../../../../../docs/fsck.md', import.meta.url), 'utf8');

it('fsck has an entry in docs/fsck.md for each check, and no other', () => {
  const table = /^\| Check \|.*?^$/ms.exec(page)?.[0] ?? '';
  const named = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)]);
  expect(named.map((match) => match[1]).sort()).toEqual(checks.map(({ name }) => name).sort());
});

/** Runs the statements of the page for the tables that are empty. */
async function restoreSingletons(): Promise<void> {
  const row = page.split('\n').find((line) => line.startsWith('| `missing_singleton` |')) ?? '';
  const statements = [...row.matchAll(/`(insert into (\w+) [^`]+)`/g)];
  expect(statements.map(([, , table]) => table).sort()).toEqual([...singletons].sort());
  for (const [, statement = '', table = ''] of statements) {
    const [found] = await fixture.database.sql.unsafe(`select count(*)::int as rows from ${table}`);
    if (found?.['rows'] === 0) await sql(statement);
  }
}

describe('fsck on a database that the service wrote', () => {
  it('finds nothing, also with owners, children and tombstones', async () => {
    await definition({ plural: 'widgets' });
    const parent = await given(fixture.store);
    const owner = {
      apiVersion: parent.apiVersion,
      kind: parent.kind,
      name: parent.name,
      uid: parent.uid,
      blockOwnerDeletion: true,
    };
    await given(fixture.store, { ownerReferences: [owner] });
    const uid = await organization({ name: 'acme' });
    const secret = { api_version: 'platform.dev/v1alpha1', kind: 'Secret', parent_uid: uid };
    const owners = JSON.stringify([{ ...owner, blockOwnerDeletion: false }]);
    await put({ ...secret, ancestors: '{acme}', ancestor_uids: `{${uid}}`, owner_references: owners });
    expect(await look()).toEqual([]);
  });

  it('finds nothing in a schema whose name needs quotes, nor for a role that quotes every name', async () => {
    const name = `"${new URL(fixture.database.url).pathname.slice(1)}"`;
    await sql('alter schema public rename to "My.Schema"');
    await sql(`alter database ${name} set search_path = 'My.Schema'`);
    await sql(`alter database ${name} set quote_all_identifiers = on`);
    try {
      expect(await look()).toEqual([]);
    } finally {
      await sql('alter schema "My.Schema" rename to public');
      await sql(`alter database ${name} reset all`);
    }
  });

  it('says that migrations are missing before it says anything else', async () => {
    await sql('begin; create schema aside; alter table platform_migrations set schema aside; commit');
    await expect(look()).rejects.toThrow('lacks migrations: 0001_resources.sql');
    await sql('alter table aside.platform_migrations set schema public');
  });
});

describe('fsck without the constraints that would refuse it', () => {
  beforeAll(async () => {
    const dropped = await fixture.database.sql<{ statement: string }[]>`
      select case when conrelid <> 0
          then format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname)
          else format('alter domain %s drop constraint if exists %I', contypid::regtype, conname) end as statement
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'u')
        and (conrelid <> 'platform_migrations'::regclass)`;
    for (const { statement } of dropped) await sql(statement);
    await sql(
      'drop index resources_definition_identity, resources_definition_plural, resources_sibling_discriminator',
    );
  });

  beforeEach(async () => {
    for (const table of ['resources', 'projects', 'teams', 'environments', 'service_accounts']) {
      await sql(`delete from ${table}`);
    }
    await restoreSingletons();
    await sql('alter table resources enable trigger all');
  });

  it('the page says how rows that must be there are added again', async () => {
    await breakages['missing_singleton']?.();
    await restoreSingletons();
    expect((await look()).filter(({ check }) => check === 'missing_singleton')).toEqual([]);
  });

  it('has a breakage for every invariant', () => {
    expect(Object.keys(breakages)).toEqual(checks.map(({ name }) => name));
  });

  it.each(Object.entries(breakages))('names the rows of %s', async (name, breakIt) => {
    const ids = await breakIt();
    const finding = (await look()).find(({ check }) => check === name);
    expect(finding?.rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(finding?.rows.every(({ what }) => typeof what === 'string' && what !== '')).toBe(true);
  });

  it('says of an extension without a client id whether another extension has it', async () => {
    const [younger, older] = [randomUUID(), randomUUID()];
    const extension = async (uid: string, project: string, name: string) => {
      const values = `'${uid}', '${project}', '${uid}', 'private', 'http://p', 'http://p', 'a@b'`;
      await sql(`insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
        values (${values})`);
      await sql(`insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets)
        values ('${uid}', '${uid}', '${name}', '{}', 's', '[]')`);
    };
    const told = async () => {
      const finding = (await look()).find(({ check }) => check === 'extension_client_id');
      return finding?.rows.map(({ id, what }) => [id, what]);
    };
    await extension(younger, 'shop', 'a-b');
    await sql(`update extensions set client_id = null where uid = '${younger}'`);
    await extension(older, 'shop-a', 'b');
    const taken = 'another extension has its client id; create it again under another name';
    expect(await told()).toEqual([[younger, `extension shop/a-b: ${taken}`]]);
    await sql(`delete from extensions where uid = '${older}'`);
    const free = 'the other extension with its client id was deleted; delete it and create it again';
    expect(await told()).toEqual([[younger, `extension shop/a-b: ${free}, under the same name if you like`]]);
  });

  it('names as many rows as asked for, and says that there are more', async () => {
    for (let index = 0; index < 3; index += 1) await put({ revision: 0 });
    const [finding] = (await look({ limit: 2 })).filter(({ check }) => check === 'bad_revision');
    expect(finding).toMatchObject({ rows: { length: 2 }, more: true });
  });

  it('gives the collector the time that it is told to', async () => {
    await put({ parent_uid: await put({ deletion_timestamp: new Date(Date.now() - 60_000).toISOString() }) });
    const names = async (graceSeconds: number) => (await look({ graceSeconds })).map(({ check }) => check);
    expect(await names(600)).not.toContain('live_below_tombstone');
    expect(await names(10)).toContain('live_below_tombstone');
  });
});
