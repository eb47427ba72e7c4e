import { randomBytes } from 'node:crypto';
import { createSealer } from '@platform/crypto';
import { testDatabase } from '@platform/development/testing';
import {
  createAuthorizationCodeStore,
  createSigningKeyStore,
  type Database,
  migrate,
  openDatabase,
} from '@platform/store-postgres';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { HandmadeApp, OIDC } from './app.ts';
import { ShiftedClock, startPlatform, type TestApp, type TestPlatform } from './platform.ts';
import { ScriptedProvider } from './scripted-provider.ts';

const testing = testDatabase({ migrate: (url) => migrate({ url }) });

describe('two replicas on one database', () => {
  let database: Database;
  let provider: ScriptedProvider;
  let first: TestPlatform;
  let second: TestPlatform;
  let extension: TestApp;
  let app: HandmadeApp;
  const clock = new ShiftedClock();

  beforeAll(async () => {
    database = openDatabase({ url: testing.url, poolMax: 6 });
    provider = await new ScriptedProvider().start();
    const shared = {
      states: createAuthorizationCodeStore(database, 'oauthStates'),
      codes: createAuthorizationCodeStore(database, 'oauthCodes'),
      keys: createSigningKeyStore(database),
      sealer: createSealer([{ id: 'k1', key: randomBytes(32).toString('base64') }]),
      clock,
      extensions: new Map(),
    };
    first = await startPlatform({ upstreams: [provider.issuer], shared });
    second = await startPlatform({ upstreams: [provider.issuer], shared, publicUrl: first.publicUrl });
    extension = first.extend({ project: 'shop', extension: 'login' }, {});
    const { projectUid, extensionUid } = extension.extension;
    await testing.sql`
      insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
      values (${projectUid}, 'shop', ${projectUid}, 'private', 'https://shop.example', 'https://shop.example', 'o@example.dev')`;
    await testing.sql`
      insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets)
      values (${extensionUid}, ${projectUid}, 'login', '{}', 'sealed', '[]')`;
    app = new HandmadeApp(extension, provider);
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close(), provider.stop()]);
    await database.close();
  });

  const onSecond = (url: string) => url.replace(first.own, second.own);

  it('finish each other’s logins, and verify each other’s tokens', async () => {
    const callbackUrl = await app.toCallback({ ...OIDC, nonce: 'n' });
    const back = await app.get(onSecond(callbackUrl));
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const response = await app.token({ code });
    const tokens = (await response.json()) as { id_token: string };
    const keys = await (await fetch(onSecond(`${extension.issuer}/jwks`))).json();
    const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys as never));
    expect(payload).toMatchObject({ iss: extension.issuer, sub: 'alice', nonce: 'n' });
  });

  it('redeem a code once between them', async () => {
    const { code = '' } = await app.login();
    const attempts = [0, 1, 2, 3, 4, 5].map((number) =>
      app.token({ code }, {}, number % 2 === 0 ? extension.issuer : onSecond(extension.issuer)),
    );
    const statuses = (await Promise.all(attempts)).map((response) => response.status);
    expect(statuses.sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it('store only sealed records, and delete them when they have expired', async () => {
    await app.toCallback();
    await app.login();
    const rows =
      await testing.sql`select hash, sealed from oauth_states union all select hash, sealed from oauth_codes`;
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const row of rows) expect(row['sealed']).toMatch(/^v1\.k1\.[\w-]+$/);
    clock.shiftMs += 600_000;
    await createAuthorizationCodeStore(database, 'oauthStates').deleteExpired(clock.now(), 100);
    await createAuthorizationCodeStore(database, 'oauthCodes').deleteExpired(clock.now(), 100);
    const left =
      await testing.sql`select (select count(*) from oauth_states) + (select count(*) from oauth_codes) as left`;
    expect(left[0]?.['left']).toBe('0');
  });
});
