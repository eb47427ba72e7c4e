import { testDatabase } from '@platform/development/testing';
import { describeAuthorizationCodeStore } from '@platform/kernel/conformance';
import { describeSigningKeyStore, signingExtensions } from '@platform/oauth-proxy/conformance';
import { type Database, migrate, openDatabase } from '@platform/postgres';
import { createAuthorizationCodeStore, createSigningKeyStore } from '../../index.ts';

const owners = [
  '0197f0a0-0000-7000-8000-000000000001',
  '0197f0a0-0000-7000-8000-000000000002',
  '0197f0a0-0000-7000-8000-000000000003',
] as const;
const projects = ['0197f0a0-0000-7000-8000-0000000000a1', '0197f0a0-0000-7000-8000-0000000000a2'] as const;

const testing = testDatabase({ migrate: (url) => migrate({ url }) });
describe('the oauth operations', () => {
  let database: Database;

  beforeAll(async () => {
    database = openDatabase({ url: testing.url, poolMax: 8 });
    for (const [index, uid] of projects.entries()) {
      const url = `https://shop${index}.example`;
      await testing.sql`
        insert into projects (uid, name, organization_resource_uid, access_class, url, url_origin, owner_user)
        values (${uid}, ${`shop${index}`}, ${uid}, 'private', ${url}, ${url}, 'o@example.dev')`;
    }
    await addExtensions(owners.map((uid, index) => ({ uid, project: projects[index % 2] as string })));
  });
  afterAll(() => database.close());

  async function addExtensions(added: readonly { uid: string; project: string }[]): Promise<void> {
    for (const { uid, project } of added) {
      await testing.sql`
        insert into extensions (uid, project_uid, name, spec, sealed_upstream_secret, client_secrets)
        values (${uid}, ${project}, ${`e${uid.slice(-2)}`}, '{}', 'sealed', '[]')`;
    }
  }

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

  // Attack: an extension is deleted, and made again, to store as much once more.
  it('keeps no codes of a deleted extension, and stores no large ones for it', async () => {
    const store = createAuthorizationCodeStore(await emptied(), 'oauthCodes');
    const [uid] = signingExtensions;
    await addExtensions([{ uid, project: projects[0] }]);
    const code = { hash: 'c'.repeat(64), owner: uid, sealed: 'sealed', expiresAt: 1000 };
    const kept = { ...code, hash: 'd'.repeat(64), owner: owners[0] };
    const room = { maxBytes: 100, maxProjectBytes: 100, now: 0 };
    expect([await store.save(code, room), await store.save(kept, room)]).toEqual([true, true]);
    await testing.sql`delete from extensions where uid = ${uid}`;
    expect([await store.peek(code, 0), await store.peek(kept, 0)]).toEqual([null, 'sealed']);
    expect(await testing.sql`select 1 from oauth_codes`).toHaveLength(1);
    expect(await store.save(code, room)).toBe(false);
  });

  describe('the signing key store on PostgreSQL', () => {
    beforeAll(() => addExtensions(signingExtensions.map((uid) => ({ uid, project: projects[0] }))));

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
