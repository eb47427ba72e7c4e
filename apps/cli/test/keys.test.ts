import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer } from '@platform/crypto';
import { testDatabase } from '@platform/development/testing';
import { sealedKindNames } from '@platform/key-rotation';
import { createKnownKeyStore, migrate, openDatabase } from '@platform/store-postgres';
import { run } from '../src/run.ts';
import { FakeTerminal } from './fake-terminal.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill).toString('base64') });
const [k1, k2] = [key('k1', 1), key('k2', 2)];

// Empty, so that the command does not find the generated keys of a service that runs in this checkout.
const dataDir = mkdtempSync(join(tmpdir(), 'keys-test-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Runs the command with these encryption keys. */
async function platform(words: string, keys: readonly object[]) {
  const env = {
    PLATFORM__DATABASE__URL: database.url,
    PLATFORM__DATABASE__DATA_DIR: dataDir,
    PLATFORM__ENCRYPTION__KEYS: JSON.stringify(keys),
  };
  const terminal = new FakeTerminal({ env });
  const code = await run(words.split(' '), terminal);
  return { code, out: terminal.stdout, err: terminal.stderr };
}

const organization = randomUUID();
const project = { uid: randomUUID() };
const extensionUids = Array.from({ length: 3 }, () => randomUUID()).sort();
const inAnHour = new Date(Date.now() + 3_600_000);
const ago = new Date(Date.now() - 3_600_000);

/** Everything that the service stores sealed, sealed with k1. */
async function sealEverything() {
  const sealer = createSealer([k1]);
  const { sql } = database;
  await sql`delete from oauth_states`;
  await sql`delete from oauth_codes`;
  await sql`delete from login_once`;
  await sql`delete from oauth_signing_keys`;
  await sql`delete from extensions`;
  await sql`delete from projects`;
  await sql`insert into resources (uid, api_version, kind, name, discriminator, spec) values
    (${organization}, 'platform.dev/v1alpha1', 'Organization', 'acme', 'aaaaaaaa', '{}') on conflict do nothing`;
  await sql`insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user) values
    (${project.uid}, 'shop', ${organization}, 'private', 'https://shop.example.dev/', 'https://shop.example.dev', 'ann@example.com')`;
  for (const [index, uid] of extensionUids.entries()) {
    const of = { project: project.uid, extension: uid };
    const sealed = (secret: string) => ({
      hash: randomBytes(32).toString('hex'),
      sealed: sealer.seal(secret, { purpose: 'proxy_client_secret', ...of }),
    });
    await sql`insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets) values
      (${uid}, ${project.uid}, ${`login${index}`}, '{}',
        ${sealer.seal(`upstream${index}`, { purpose: 'upstream_client_secret', ...of })},
        ${JSON.stringify([sealed(`new${index}`), sealed(`old${index}`)])}::text::json)`;
    for (const table of ['state', 'code'])
      await sql`insert into ${sql(`oauth_${table}s`)} (hash, extension_uid, sealed, expires_at) values
        (${randomBytes(32)}, ${uid}, ${sealer.seal(table, { purpose: `oauth_${table}`, ...of })}, ${inAnHour})`;
    await sql`insert into extension_signing_keys (extension_uid, sequence, public_key, sealed_private_key, created_at)
      values (${uid}, 1, '{}', ${sealer.seal('jwk', { purpose: 'extension_signing_key', extension: uid })}, ${ago}),
        (${uid}, 2, '{}', ${sealer.seal('jwk', { purpose: 'proxy_signing_key' })}, now())`;
  }
  await sql`insert into oauth_signing_keys (sequence, public_key, sealed_private_key, created_at)
    values (1, '{}', ${sealer.seal('shared', { purpose: 'proxy_signing_key' })}, now())`;
  for (const purpose of [
    ...['login_code', 'login_confirmation', 'ingress_code'],
    ...['device_confirmation', 'device_grant'],
  ])
    await sql`insert into login_once (hash, sealed, expires_at) values
      (${randomBytes(32).toString('hex')}, ${sealer.seal('grant', { purpose })}, ${inAnHour}),
      (${randomBytes(32).toString('hex')}, 'v1.gone.expired', ${ago})`;
  await sealSecret(sealer);
}

const secretUid = randomUUID();

/** A Secret with two values, which the change log has as well, and an answer that shows one. */
async function sealSecret(sealer: ReturnType<typeof createSealer>) {
  const { sql } = database;
  const value = (at: string) => sealer.seal('aGk=', { purpose: 'resource_spec', uid: secretUid, at });
  const spec = JSON.stringify({ data: { a: value('data/a'), b: value('data/b') } });
  await sql`delete from resources where uid = ${secretUid}`;
  await sql`delete from changes`;
  await sql`insert into resources (uid, api_version, kind, name, discriminator, spec, parent_uid) values
    (${secretUid}, 'platform.dev/v1alpha1', 'Secret', 'db', 'bbbbbbbb', ${spec}::text::json, ${organization})`;
  await sql`delete from answered_requests`;
  const answer = (hash: string, body: string) => sql`
    insert into answered_requests (key_hash, body_hash, status, headers, body, expires_at)
    values (${hash}, 'h', 201, '{}', ${body}, ${inAnHour})`;
  await answer('a', '{"kind":"Pod"}');
  await answer('b', sealer.seal('{"kind":"Secret"}', { purpose: 'kept_answer', key: 'b' }));
}

/** Seals all but the expired rows, by kind. */
const expected = [3, 6, 6, 1, 3, 3, 5, 2, 2, 1];
const countsOf = (out: string) => JSON.parse(out).counts as Record<string, number>[];

beforeEach(sealEverything);

describe('platform reseal', () => {
  it('seals everything with the first key, so that the old key can be removed', async () => {
    const revision = () => database.sql`select uid, revision, xmin::text from extensions order by uid`;
    const before = await revision();
    const dry = await platform('reseal --dry-run --json', [k2, k1]);
    expect(countsOf(dry.out).map(({ resealed }) => resealed)).toEqual(expected);
    expect(await revision()).toEqual(before);

    const { code, out } = await platform('reseal', [k2, k1]);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('everything in the database is sealed with the key k2\n'),
    ]);
    // Only k2 is configured, and every value opens: unreadable ones would exit with 1.
    const after = await platform('reseal --json', [k2]);
    expect([after.code, countsOf(after.out).map(({ current }) => current)]).toEqual([0, expected]);
    expect((await revision()).map(({ revision: each }) => each)).toEqual(
      before.map(({ revision: each }) => each),
    );
    const keys = await platform('keys', [k2]);
    expect(keys.out).toMatch(/^k2 +encrypts +client secrets of apps +6$/m);
    expect(keys.out).not.toContain('k1');
    expect(keys.out).toMatch(/^keys that sign ID tokens: 7, the oldest 60m old, the newest \d+s old$/m);
  });

  it('goes on where an earlier run was killed', async () => {
    // Killed while it works on the first extension's signing keys.
    await database.sql`create function kill_reseal() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`;
    await database.sql`create trigger kill_reseal before update on extension_signing_keys
      for each row execute function kill_reseal()`;
    const killed = await platform('reseal', [k2, k1]);
    await database.sql`drop function kill_reseal() cascade`;
    expect([killed.code, killed.out]).toEqual([8, '']);
    const half = await platform('keys --json', [k2, k1]);
    const uses = JSON.parse(half.out).uses as { key: string; kind: string; values: number }[];
    expect(uses).toContainEqual({ key: 'k2', kind: 'upstream client secrets', values: 3 });
    expect(uses).toContainEqual({ key: 'k1', kind: 'signing keys of extensions', values: 6 });
    const again = await platform('reseal --json', [k2, k1]);
    expect(countsOf(again.out).map(({ current, resealed }) => [current, resealed])).toEqual(
      expected.map((count, index) => (index < 2 ? [count, 0] : [0, count])),
    );
    expect((await platform('reseal', [k2])).code).toBe(0);
  });

  it('leaves a value to the service that replaces it at the same moment', async () => {
    const [uid] = extensionUids;
    const context = { purpose: 'upstream_client_secret', project: project.uid, extension: String(uid) };
    const written = createSealer([k2, k1]).seal('by the service', context);
    const held = database.sql.begin(async (sql) => {
      await sql`update extensions set sealed_upstream_secret = ${written} where uid = ${String(uid)}`;
      const waiting = async () =>
        (await sql`select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`)
          .length > 0;
      while (!(await waiting()));
    });
    const { out } = await platform('reseal --json', [k2, k1]);
    await held;
    expect(countsOf(out)[0]).toMatchObject({ resealed: 2, changed: 1 });
    const [row] =
      await database.sql`select sealed_upstream_secret from extensions where uid = ${String(uid)}`;
    expect(row?.['sealed_upstream_secret']).toBe(written);
  });

  it('exits with 1 when a value is not opened by any key, and seals the rest', async () => {
    const { code, out } = await platform('reseal', [k2]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^32 values are not opened by any configured key/m),
    ]);
    const keys = await platform('keys', [k2]);
    expect(keys.out).toMatch(/^k1 +not configured +upstream client secrets +3$/m);
    expect(keys.out).toMatch(/^k2 +encrypts +- +0$/m);
  });

  it('needs the keys of the service', async () => {
    const { code, err } = await platform('reseal', []);
    expect([code, err]).toEqual([2, expect.stringMatching(/^platform: encryption\.keys: is not configured/)]);
  });
});

describe('platform keys', () => {
  it('shows since when each key of the service is in use, and how old secrets are', async () => {
    const { sql } = database;
    const opened = openDatabase({ url: database.url, poolMax: 1 });
    const store = createKnownKeyStore(opened);
    await store.record([{ purpose: 'sessions', id: 'abc' }]);
    await sql`update known_keys set first_used_at = now() - interval '90 days'`;
    // A restart with another key: the first start of the old one stays.
    await store.record([
      { purpose: 'sessions', id: 'abc' },
      { purpose: 'encryption', id: 'k1' },
    ]);
    await opened.close();
    const made = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const secrets = [
      { hash: 'a', sealed: 'v1.k1.a', createdAt: made(5) },
      { hash: 'b', sealed: 'v1.k1.b' },
    ];
    await sql`update extensions set created_at = ${made(72)}, client_secrets = ${JSON.stringify(secrets)}::text::json`;
    await sql`insert into environments (uid, project_uid, name) values (${randomUUID()}, ${project.uid}, 'production')`;
    await sql`insert into deployments (uid, project_uid, name, environment, credential_hash, credential_expires_at) values
      (${randomUUID()}, ${project.uid}, 'a', 'production', ${'a'.repeat(64)}, null),
      (${randomUUID()}, ${project.uid}, 'b', 'production', ${'b'.repeat(64)}, ${ago}),
      (${randomUUID()}, ${project.uid}, 'c', 'production', ${'c'.repeat(64)}, '2099-01-02T03:04:05Z')`;
    const { out } = await platform('keys', [k1]);
    await sql`delete from deployments`;
    await sql`delete from environments`;
    expect(out).toMatch(/[^\n]\n\nKEY +SIGNS OR SEALS .*[^\n]\n\nkeys that sign ID tokens: /s);
    expect(out).toMatch(/^k1 +encryption +\ds +\ds$/m);
    expect(out).toMatch(/^abc +sessions and access tokens +90d +\ds$/m);
    expect(out).toMatch(/^client secrets of apps: 6, the oldest 3d old, the newest 5h old$/m);
    expect(out).toContain(
      'bootstrap credentials: 2, 1 of them never expires, the next one expires at 2099-01-02T03:04:05Z\n',
    );
  });
});

it('covers every column of the database that contains sealed texts', async () => {
  const columns =
    await database.sql`select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and (column_name like '%sealed%' or column_name = 'client_secrets') order by 1`;
  expect(columns.map(({ name }) => name)).toEqual([
    'extension_signing_keys.sealed_private_key',
    'extensions.client_secrets',
    'extensions.sealed_upstream_secret',
    'login_once.sealed',
    'oauth_codes.sealed',
    'oauth_signing_keys.sealed_private_key',
    'oauth_states.sealed',
  ]);
  // Values in `spec` of resources and of their log, and answers, are in columns that hold other texts as well.
  expect(sealedKindNames).toHaveLength(columns.length + 3);
});

describe('on a database that is not migrated', () => {
  const empty = testDatabase();

  it.each(['keys', 'reseal', 'reseal --dry-run', 'collector state'])('%s says so', async (words) => {
    const { code, err } = await platform(`${words} --database-url ${empty.url}`, [k1]);
    expect([code, err]).toEqual([
      8,
      expect.stringMatching(/^platform: The database is not migrated: relation "\w+" does not exist\n$/),
    ]);
  });
});
