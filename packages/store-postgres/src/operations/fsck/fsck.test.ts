import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { checks, fsck } from './index.ts';

const fixture = testStore();
const sql = (text: string) => fixture.database.sql.unsafe(text);
const look = (options = {}) => fsck({ url: fixture.database.url, ...options });

let made = 0;
interface Row {
  readonly uid?: string;
  readonly [column: string]: string | number | null | undefined;
}

/** Puts a row into the table as it is, whatever the service would say. */
async function put(changes: Row = {}): Promise<string> {
  made += 1;
  const uid = changes.uid ?? randomUUID();
  const row = {
    api_version: 'example.dev/v1',
    kind: 'Widget',
    name: `n${made}`,
    discriminator: `f${made.toString(36).padStart(7, '0')}`,
    ...changes,
    uid,
  };
  await fixture.database.sql`insert into resources ${fixture.database.sql(row)}`;
  return uid;
}

const widgets = { group: 'example.dev', kind: 'Widget', plural: 'widgets', parent: null };
const v1 = { name: 'v1', served: true, storage: true };
const definition = (changes: object = {}, row: Row = {}) => {
  const spec = { ...widgets, versions: [v1], ...changes };
  return put({
    api_version: 'platform.dev/v1alpha1',
    kind: 'ResourceDefinition',
    name: `${spec.plural}.${spec.group}`,
    spec: JSON.stringify(spec),
    ...row,
  });
};
const organization = (row: Row = {}) =>
  put({ api_version: 'platform.dev/v1alpha1', kind: 'Organization', ...row });
const owners = (...uids: readonly string[]) =>
  JSON.stringify(uids.map((uid) => ({ apiVersion: 'example.dev/v1', kind: 'Widget', name: 'owner', uid })));
const long = '2020-01-01T00:00:00Z';

/** What breaks each invariant, and the ids that must be named; those of other invariants may be broken with it. */
const breakages: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  missing_parent: async () => [await put({ parent_uid: randomUUID() })],
  parent_cycle: async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    return [await put({ uid: a, parent_uid: b }), await put({ uid: b, parent_uid: a })];
  },
  too_deep: async () => {
    let parent: string | null = null;
    for (let depth = 0; depth <= 33; depth += 1) parent = await put({ parent_uid: parent });
    return [parent as string];
  },
  wrong_ancestors: async () => {
    const parent = await put();
    await put({ parent_uid: parent });
    const wrong = { ancestors: '{other}', ancestor_uids: `{${parent}}` };
    return [await put({ parent_uid: parent, ...wrong }), await put({ ancestors: '{other}' })];
  },
  ownership_cycle: async () => {
    const child = randomUUID();
    const parent = await put({ owner_references: owners(child) });
    await put({ uid: child, parent_uid: parent });
    return [parent];
  },
  missing_owner: async () => {
    await put({ owner_references: owners(randomUUID()), deletion_timestamp: long });
    return [await put({ owner_references: owners(randomUUID()) })];
  },
  mismatched_owner: async () => {
    await put({ owner_references: owners(await put({ name: 'owner' })) });
    return [await put({ owner_references: owners(await put({ parent_uid: await put(), name: 'other' })) })];
  },
  duplicate_owner: async () => {
    const owner = await put({ name: 'owner', parent_uid: await put() });
    return [await put({ owner_references: owners(owner, owner) })];
  },
  duplicate_name: async () => {
    const both = [await put({ name: 'twice' }), await put({ name: 'twice', api_version: 'example.dev/v2' })];
    return [both.sort()[0] as string];
  },
  duplicate_discriminator: async () => {
    const both = [await put({ discriminator: 'aaaaaaaa' }), await put({ discriminator: 'aaaaaaaa' })];
    return [both.sort()[0] as string];
  },
  bad_discriminator: async () => [await put({ discriminator: '-bbbbbbb' })],
  bad_document: async () => [await put({ status: '{}' }), await put({ spec: '[]' })],
  wrong_label_index: async () => {
    const [missing, surplus] = [await put(), await put()];
    await sql(`update resources set labels = '{"app":"shop"}'`);
    await sql(`delete from resource_labels where uid = '${missing}' and label = 'app'`);
    await sql(
      `update resource_labels set label = 'app=other' where uid = '${surplus}' and label = 'app=shop'`,
    );
    return [missing, surplus, surplus];
  },
  bad_revision: async () => [await put({ revision: 2, generation: 3 }), await put({ revision: 0 })],
  bad_finalizers: async () => [await put({ finalizers: '{a/b,a/b}' }), await put({ finalizers: '{""}' })],
  built_in_as_dependent: async () => [await organization({ parent_uid: await put() })],
  reserved_finalizer_on_live_row: async () => {
    const finalizers = '{system.platform.dev/cascade-deletion}';
    await put({ finalizers, deletion_timestamp: long });
    return [await put({ finalizers })];
  },
  live_below_tombstone: async () => {
    const above = await put({ deletion_timestamp: long });
    await put({ parent_uid: await put({ deletion_timestamp: new Date().toISOString() }) });
    return [await put({ parent_uid: above }), await put({ owner_references: owners(above) })];
  },
  unfinished_cascade: async () => {
    const uid = await put({ deletion_timestamp: long });
    await sql(`insert into pending_cascades (owner_uid, time, change, api_version, kind, name)
      values ('${uid}', '${long}', '{cascade}', 'example.dev/v1', 'Widget', 'wide')`);
    return [uid];
  },
  free_tombstone: async () => {
    const finalizers = '{system.platform.dev/cascade-deletion}';
    const parent = await put({ deletion_timestamp: long, finalizers });
    await put({ deletion_timestamp: long, finalizers: '{a/b}', parent_uid: parent });
    await put({ deletion_timestamp: new Date().toISOString() });
    return [await put({ deletion_timestamp: long }), await put({ deletion_timestamp: long, finalizers })];
  },
  wrong_cascade_finalizer: async () => {
    const blocked = await put({ deletion_timestamp: long, finalizers: '{a/b}' });
    await put({ parent_uid: blocked, deletion_timestamp: long, finalizers: '{a/b}' });
    const finalizers = '{a/b,system.platform.dev/cascade-deletion}';
    return [blocked, await put({ deletion_timestamp: long, finalizers })];
  },
  timestamp_in_future: async () => [
    await put({ deletion_timestamp: '2099-01-01T00:00:00Z' }),
    await put({ created_at: '2099-01-01T00:00:00Z' }),
  ],
  no_definition: async () => [await put({ kind: 'Nobody' })],
  undeclared_version: async () => {
    await definition();
    await put();
    return [await put({ api_version: 'example.dev/v9' })];
  },
  parent_of_another_kind: async () => {
    await definition({ parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' } });
    await put({ parent_uid: await organization() });
    return [await put()];
  },
  tombstoned_definition_with_rows: async () => {
    await put();
    return [await definition({}, { deletion_timestamp: long })];
  },
  duplicate_definition: async () => [await definition(), await definition({ group: 'other.dev' })],
  bad_versions: async () => [
    await definition({ versions: [v1, { ...v1, name: 'v2' }] }),
    await definition({ plural: 'gadgets', versions: [{ ...v1, served: false }] }),
    await definition({ plural: 'gizmos', versions: [v1, { ...v1, storage: false }] }),
  ],
  missing_parent_definition: async () => {
    await definition({ parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' } });
    return [await definition({ plural: 'gadgets', parent: { apiVersion: 'example.dev/v1', kind: 'Gone' } })];
  },
  project_without_organization: async () => {
    const [project, team] = [randomUUID(), randomUUID()];
    await sql(`insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
      values ('${project}', 'p', '${randomUUID()}', 'private', 'http://p', 'http://p', 'a@b')`);
    await sql(
      `insert into teams (uid, name, organization_resource_uid) values ('${team}', 't', '${randomUUID()}')`,
    );
    return [project, team];
  },
  project_orphans: async () => {
    const uid = randomUUID();
    await sql(`insert into environments (uid, project_uid, name) values ('${uid}', '${randomUUID()}', 'e')`);
    return [uid];
  },
  service_account_email: async () => {
    const [project, uid] = [randomUUID(), randomUUID()];
    await sql(`insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
      values ('${project}', 'p', '${randomUUID()}', 'private', 'http://p', 'http://p', 'a@b')`);
    await sql(`insert into service_accounts (uid, project_uid, name, email, issuer_url, claims)
      values ('${uid}', '${project}', 's', 'q+s@sa.platform.local', 'https://i', '{}')`);
    return [uid];
  },
  extension_client_id: async () => {
    const [project, uid] = [randomUUID(), randomUUID()];
    await sql(`insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
      values ('${project}', 'p', '${randomUUID()}', 'private', 'http://p', 'http://p', 'a@b')`);
    await sql(`insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets)
      values ('${uid}', '${project}', 'e', '{}', 's', '[]')`);
    await sql(`update extensions set client_id = null where uid = '${uid}'`);
    return [uid];
  },
  wrong_url_origin: async () => {
    const add = async (url: string, origin: string) => {
      const uid = randomUUID();
      await sql(`insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
        values ('${uid}', '${uid}', '${randomUUID()}', 'private', '${url}', '${origin}', 'a@b')`);
      return uid;
    };
    await add('https://Shop.example.dev:443/a/b?c=d', 'https://shop.example.dev');
    await add('http://127.0.0.1:8080', 'http://127.0.0.1:8080');
    return [
      await add('https://shop.example.dev/a', 'https://other.example.dev'),
      await add('https://cart.example.dev', 'https://cart.example.dev:8443'),
    ];
  },
  missing_singleton: async () => {
    await sql('delete from leases');
    return ['leases'];
  },
  guard_switched_off: async () => {
    await sql('alter table resources disable trigger resources_definition_added');
    await sql('alter table resources enable replica trigger resources_definition_changed');
    return ['resources', 'resources'];
  },
  schema_differs: async () => {
    const before = (await look()).find(({ check }) => check === 'schema_differs');
    await sql('drop index change_ticks_time');
    return [...(before?.rows ?? []).map(({ id }) => id), 'index change_ticks_time'];
  },
};

it('fsck has an entry in docs/fsck.md for each check, and no other', () => {
  const page = readFileSync(new URL('../../../../../docs/fsck.md', import.meta.url), 'utf8');
  const table = /^\| Check \|.*?^$/ms.exec(page)?.[0] ?? '';
  const named = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)]);
  expect(named.map((match) => match[1]).sort()).toEqual(checks.map(({ name }) => name).sort());
});

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
    await organization();
    expect(await look()).toEqual([]);
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
    await sql(`insert into leases (name) values ('collector') on conflict do nothing`);
    await sql('alter table resources enable trigger all');
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
