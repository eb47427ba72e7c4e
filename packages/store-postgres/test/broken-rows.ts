import { randomUUID } from 'node:crypto';
import { fsck } from '../src/operations/fsck/index.ts';
import { testStore } from './store.ts';

interface Row {
  readonly uid?: string;
  readonly [column: string]: string | number | null | undefined;
}

const widgets = { group: 'example.dev', kind: 'Widget', plural: 'widgets', parent: null };
const v1 = { name: 'v1', served: true, storage: true };
const owners = (...uids: readonly string[]) =>
  JSON.stringify(uids.map((uid) => ({ apiVersion: 'example.dev/v1', kind: 'Widget', name: 'owner', uid })));
/** Tables with rows that must be there. */
const singletons = ['catalog_epoch', 'access_rules', 'change_log', 'leases'];
const long = '2020-01-01T00:00:00Z';

/** A database whose rows a test breaks as no service would. Call it at the top of a file. */
export function brokenRows() {
  const fixture = testStore();
  const sql = (text: string) => fixture.database.sql.unsafe(text);
  const look = (options = {}) => fsck({ url: fixture.database.url, ...options });
  let made = 0;

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

  /** A breakage of each invariant, which returns the ids that must be named; those of other invariants may be broken with it. */
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
      const both = [
        await put({ name: 'twice' }),
        await put({ name: 'twice', api_version: 'example.dev/v2' }),
      ];
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
      return [
        await definition({ plural: 'gadgets', parent: { apiVersion: 'example.dev/v1', kind: 'Gone' } }),
      ];
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
      await sql(
        `insert into environments (uid, project_uid, name) values ('${uid}', '${randomUUID()}', 'e')`,
      );
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
      for (const table of singletons) await sql(`delete from ${table}`);
      return [...singletons, 'leases'];
    },
    sequence_behind: async () => {
      await organization({ name: 'logged' });
      await sql(`select setval('changes_seq', (select max(seq) from changes) - 1)`);
      return ['changes_seq'];
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
  return { fixture, singletons, sql, look, put, definition, organization, breakages };
}
