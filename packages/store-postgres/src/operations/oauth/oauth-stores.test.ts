import { testDatabase } from '@platform/development/testing';
import { describeAuthorizationCodeStore } from '@platform/kernel/conformance';
import { describeSigningKeyStore, signingExtensions } from '@platform/oauth-proxy/conformance';
import { type Database, migrate, openDatabase } from '@platform/postgres';
import { createAuthorizationCodeStore, createSigningKeyStore } from '../../index.ts';

const owners = ['0197f0a0-0000-7000-8000-000000000001', '0197f0a0-0000-7000-8000-000000000002'] as const;

const testing = testDatabase({ migrate: (url) => migrate({ url }) });
describe('the oauth operations', () => {
  let database: Database;

  beforeAll(() => {
    database = openDatabase({ url: testing.url, poolMax: 8 });
  });
  afterAll(() => database.close());

  async function emptied(): Promise<Database> {
    await testing.sql`truncate oauth_states, oauth_codes, oauth_signing_keys, extension_signing_keys`;
    return database;
  }

  describe.each(['oauthStates', 'oauthCodes'] as const)('the authorization code store of %s', (table) => {
    describeAuthorizationCodeStore(async () => createAuthorizationCodeStore(await emptied(), table), owners);

    it('rejects a hash of another length', async () => {
      const store = createAuthorizationCodeStore(await emptied(), table);
      const code = { hash: 'ab', owner: owners[0], sealed: 's', expiresAt: 1 };
      await expect(store.save(code)).rejects.toMatchObject({ code: '23514' });
    });
  });

  describe('the signing key store on PostgreSQL', () => {
    beforeAll(async () => {
      const project = '0197f0a0-0000-7000-8000-0000000000a1';
      await testing.sql`
        insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
        values (${project}, 'shop', ${project}, 'private', 'https://shop.example', 'https://shop.example', 'o@example.dev')`;
      for (const [index, uid] of signingExtensions.entries()) {
        await testing.sql`
          insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets)
          values (${uid}, ${project}, ${`e${index}`}, '{}', 'sealed', '[]')`;
      }
    });

    describeSigningKeyStore(async () => createSigningKeyStore(await emptied()));

    it('adds nothing for an extension that is gone, and keeps nothing of it', async () => {
      const store = createSigningKeyStore(await emptied());
      const key = { sequence: 1, publicKey: {}, sealedPrivateKey: 's', createdAt: 1 };
      await store.add('0197f0a0-0000-7000-8000-0000000000ee', key);
      const [uid] = signingExtensions;
      await store.add(uid, key);
      await testing.sql`delete from extensions where uid = ${uid}`;
      expect(await testing.sql`select 1 from extension_signing_keys`).toHaveLength(0);
    });
  });
});
