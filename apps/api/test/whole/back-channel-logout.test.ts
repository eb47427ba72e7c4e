import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createIdentifiers, nodeRandomBytes } from '@platform/crypto';
import { until } from '@platform/development/testing';
import { systemClock } from '@platform/kernel';
import { createSessionStore, type Database, openDatabase } from '@platform/store-postgres';
import { type JWTPayload, SignJWT } from 'jose';
import request from '../openapi/documented-request.ts';
import { startIssuer } from '../platform-tokens.ts';
import { WholeApi } from './whole-api.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
let idp: Awaited<ReturnType<typeof startIssuer>>;
let database: Database;

// Hooks run in the order in which they are declared: the database is dropped after this.
afterAll(async () => {
  await database.close();
  await idp.close();
});

const api = new WholeApi(async () => {
  idp = await startIssuer();
  idp.publish({ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' });
  return {
    auth: { issuer: idp.url, client_id: 'platform', client_secret: 'secret-of-the-platform' },
    outbound: { allow_insecure_origins: [idp.url] },
  };
});
beforeAll(() => {
  database = openDatabase({ url: api.database.url, poolMax: 2 });
});

const user = { uid: randomUUID(), email: 'ann@example.dev' };

/** A session as a login leaves it, and its token. */
async function session(providerSession: string | null): Promise<string> {
  const sessions = createSessionStore(database, createIdentifiers(nodeRandomBytes, systemClock));
  const account = { issuer: idp.url, subject: 'ann' };
  const started = await sessions.start({
    ...user,
    ...account,
    providerSession,
    userAgent: '',
    seconds: 600,
    authenticatedAt: Date.now() + 1,
  });
  const { id = '', startedAt = 0 } = started ?? {};
  return api.session({ ...user, sid: id, session_iat: startedAt / 1000 });
}

function logoutToken(claims: object): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const own = { iss: idp.url, aud: 'platform', iat: now, exp: now + 120, jti: randomUUID(), events };
  const header = { alg: 'RS256', kid: 'k1', typ: 'logout+jwt' };
  return new SignJWT({ ...own, ...claims } as JWTPayload).setProtectedHeader(header).sign(privateKey);
}

const send = (token: string) =>
  request(api.publicUrl).post('/api/v1/auth/backchannel-logout').type('form').send({ logout_token: token });
const status = async (token: string) =>
  (await request(api.publicUrl).get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`)).status;

async function becomes(token: string, wanted: number): Promise<void> {
  await until(async () => (await status(token)) === wanted, { seconds: 5 });
}

describe('back-channel logout', () => {
  it('ends the sessions of one session at the provider, and leaves others', async () => {
    const [first, second] = [await session('p1'), await session('p2')];
    const answer = await send(await logoutToken({ sub: 'ann', sid: 'p1' })).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    await becomes(first, 401);
    expect(await status(second)).toBe(200);
    await send(await logoutToken({ sid: 'p2' })).expect(200);
    await becomes(second, 401);
  });

  it('ends all sessions of an account, and none of the same subject at another issuer', async () => {
    const [first, second] = [await session('p1'), await session(null)];
    const stranger = api.session({ uid: randomUUID(), email: 'ann@other.example' });
    await send(await logoutToken({ sub: 'ann' })).expect(200);
    await becomes(first, 401);
    await becomes(second, 401);
    expect(await status(stranger)).toBe(200);
  });

  // Attack: a captured logout token logs its user out again and again.
  it('takes each token once, also when it is sent twice at once', async () => {
    await session('p3');
    const token = await logoutToken({ sub: 'ann', sid: 'p3' });
    const answers = await Promise.all([send(token), send(token)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    const later = await session('p3');
    await send(token).expect(400);
    expect(await status(later)).toBe(200);
  });

  it('refuses everything else with invalid_request', async () => {
    const forged = await logoutToken({ sub: 'ann', nonce: 'n' });
    for (const body of [{ logout_token: forged }, { logout_token: 'x' }, { logout_token: '' }, {}]) {
      const answer = await request(api.publicUrl)
        .post('/api/v1/auth/backchannel-logout')
        .type('form')
        .send(body);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    }
  });
});
