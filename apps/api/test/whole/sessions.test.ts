import { randomUUID } from 'node:crypto';
import { ScriptlessBrowser, until } from '@platform/development/testing';
import { decodeJwt } from 'jose';
import request from '../openapi/documented-request.ts';
import { people } from './whole-api.ts';
import { apiWithProvider, logIn } from './with-provider.ts';

const person = (subject: string, email: string) => ({ subject, email, name: subject, groups: [], note: '' });

const api = apiWithProvider(
  {},
  {
    people: [
      person('ann', 'Ann@example.dev'),
      person('bob', 'bob@example.dev'),
      person('op', people.operator),
    ],
  },
);
/** A second replica on the same database. */
const other = api.replica();

const login = (subject: string, browser?: ScriptlessBrowser) => logIn(api, subject, browser);

const me = (token: string, base = api.publicUrl) =>
  request(base).get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);
const post = (path: string, token: string) =>
  request(api.publicUrl).post(path).set('Authorization', `Bearer ${token}`);
const revoke = (token: string, body: object) => post('/api/v1/auth/revoke', token).type('form').send(body);
const signOut = (token: string, user: string) =>
  post(`/api/v1/auth/users/${encodeURIComponent(user)}/sign-out`, token);
const list = (token: string, query: object = {}) =>
  request(api.publicUrl).get('/api/v1/auth/sessions').query(query).set('Authorization', `Bearer ${token}`);

/** Expects 401 at once where the session was ended, and soon on the other replica; how soon is tested with the follower of ended sessions. */
async function expectEnded(token: string): Promise<void> {
  await me(token).expect(401);
  await until(async () => (await me(token, other.publicUrl)).status === 401, { seconds: 5 });
}

async function expectAlive(token: string): Promise<void> {
  for (const base of [api.publicUrl, other.publicUrl]) await me(token, base).expect(200);
}

const operator = () => api.session('operator');

describe('the list of sessions', () => {
  it('has the own ones, newest first, and nothing of others; everybody’s for operators', async () => {
    const browser = new ScriptlessBrowser();
    const [first, second, bob] = [await login('ann', browser), await login('ann'), await login('bob')];
    const own = (await list(second).expect(200)).body.items;
    expect(own.map(({ id }: { id: string }) => id)).toEqual([
      decodeJwt(second)['sid'],
      decodeJwt(first)['sid'],
    ]);
    expect(Object.keys(own[0]).sort()).toEqual(['createdAt', 'expiresAt', 'id', 'user', 'userAgent']);
    expect(own[0].user).toBe('Ann@example.dev');
    const ids = async (query: object) =>
      (await list(operator(), query).expect(200)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids({})).toContain(decodeJwt(bob)['sid']);
    expect(await ids({ user: 'ANN@example.dev' })).toEqual(own.map(({ id }: { id: string }) => id));
    const page = (await list(operator(), { limit: 1 }).expect(200)).body;
    expect(await ids({ limit: 1, continue: page.continue })).not.toEqual(
      page.items.map(({ id }: { id: string }) => id),
    );
    await list(second, { user: 'bob@example.dev' }).expect(200, { items: own });
  });

  it('has only the session of the request when it is asked for that', async () => {
    const [first, second] = [await login('ann'), await login('ann')];
    for (const token of [first, second]) {
      const { items } = (await list(token, { current: true }).expect(200)).body;
      expect(items.map(({ id }: { id: string }) => id)).toEqual([decodeJwt(token)['sid']]);
      expect(Date.parse(items[0].expiresAt) / 1_000).toBeCloseTo(Number(decodeJwt(token).exp), -1);
    }
    // This token has no session id, as one of an earlier release.
    await list(operator(), { current: true }).expect(200, { items: [] });
  });

  // Attack: a program names itself with line breaks or escape sequences, which forge lines on the terminal of an operator.
  it('shows a user agent without control characters, and cut', async () => {
    const { readUserAgent } = await import('@platform/tokens');
    expect(readUserAgent('a\u001b[2Jb\r\nc\u2028d')).toBe('a?[2Jb??c?d');
    expect(readUserAgent('x'.repeat(1000))).toHaveLength(256);
  });

  it('refuses bad parameters', async () => {
    for (const query of [
      { limit: 0 },
      { continue: 'x' },
      { user: ['a', 'b'] },
      { current: 'no' },
      { current: 'true', user: 'ann@example.dev' },
      { what: 1 },
    ]) {
      await list(operator(), query).expect(400);
    }
  });
});

describe('a session ends where it was ended at once, and on every replica within a second', () => {
  it('by logout, with the cookie or the bearer token, and not for other sessions of its user', async () => {
    const [first, second, third] = [await login('ann'), await login('ann'), await login('ann')];
    await expectAlive(first);
    await request(api.publicUrl)
      .post('/api/v1/auth/logout')
      .set('Cookie', `platform_session=${first}`)
      .set('Origin', api.publicUrl)
      .expect(204);
    await post('/api/v1/auth/logout', second).expect(204);
    await expectEnded(first);
    await expectEnded(second);
    await expectAlive(third);
    expect((await list(third)).body.items.map(({ id }: { id: string }) => id)).not.toContain(
      decodeJwt(first)['sid'],
    );
  });

  it('by revocation of its token or its id (RFC 7009), and a second time is a success too', async () => {
    const [first, second, third] = [await login('bob'), await login('bob'), await login('bob')];
    await revoke(third, { token: first }).expect(200);
    await revoke(third, { session_id: String(decodeJwt(second)['sid']).toUpperCase() }).expect(200);
    await expectEnded(first);
    await expectEnded(second);
    for (const body of [{ token: first }, { token: 'no token' }, { session_id: randomUUID() }]) {
      await revoke(third, body).expect(200);
    }
    await expectAlive(third);
    const refused = await revoke(third, {}).expect(400);
    expect(refused.body.error).toBe('invalid_request');
  });

  it('of an earlier release, which has no id: by revocation, and by sign-out of its user', async () => {
    const user = { uid: randomUUID(), email: 'old@example.dev' };
    const [first, second] = [api.session({ ...user, jti: '1' }), api.session({ ...user, jti: '2' })];
    await revoke(first, { token: first }).expect(200);
    await expectEnded(first);
    await expectAlive(second);
    await signOut(operator(), 'OLD@example.dev').expect(204);
    await expectEnded(second);
  });

  it('by sign-out: all that started before, none that starts later', async () => {
    const before = [await login('ann'), await login('ann')];
    const [current] = before as [string];
    await signOut(current, 'ann@example.dev').expect(204);
    for (const token of before) await expectEnded(token);
    const later = await login('ann');
    await expectAlive(later);
    await signOut(operator(), decodeJwt(later).sub ?? '').expect(204);
    await expectEnded(later);
  });
});

describe('attacks on the ends of sessions', () => {
  // Attack: somebody ends the session of somebody else.
  it('refuses to end the sessions of others, and leaves them alive', async () => {
    const [ann, bob] = [await login('ann'), await login('bob')];
    expect((await revoke(bob, { token: ann }).expect(403)).body.error).toBe('access_denied');
    await revoke(bob, { session_id: decodeJwt(ann)['sid'] }).expect(403);
    await signOut(bob, 'ann@example.dev').expect(403);
    await signOut(bob, decodeJwt(ann).sub ?? '').expect(403);
    await expectAlive(ann);
    await revoke(operator(), { token: ann }).expect(200);
    await expectEnded(ann);
  });

  // Attack: a provider lets people enter any address, and somebody enters that of the victim to sign them out.
  it('signs out only the own user by an address that somebody else has too', async () => {
    const victim = await login('ann');
    const attacker = api.session({ uid: randomUUID(), email: 'ann@example.dev', email_verified: false });
    await signOut(attacker, 'ann@example.dev').expect(204);
    await expectEnded(attacker);
    await expectAlive(victim);
  });

  it('takes no session for revocation without a session, and no token of a kind that cannot be revoked', async () => {
    const ann = await login('ann');
    await request(api.publicUrl).post('/api/v1/auth/revoke').type('form').send({ token: ann }).expect(401);
    const access = api.accessToken({ type: 'controller', id: 'ctrl.example.dev' });
    const refused = await revoke(ann, { token: access }).expect(400);
    expect(refused.body.error).toBe('unsupported_token_type');
    await post('/api/v1/auth/revoke', access).type('form').send({ token: ann }).expect(403);
    await expectAlive(ann);
  });

  it('refuses users that cannot be', async () => {
    await signOut(operator(), 'a\u0000b').expect(400);
    await signOut(operator(), 'x'.repeat(400)).expect(400);
  });
});

describe('what came from a session ends with it', () => {
  it('an ingress token, at the forward-auth endpoint', async () => {
    await api
      .as('admin', 'post', '/api/v1/projects')
      .send({ name: 'open', access_class: 'public' })
      .expect(201);
    const ann = await login('ann');
    const ingress = (token: string) =>
      request(api.publicUrl).get('/api/v1/auth/ingress?project=open').set('Authorization', `Bearer ${token}`);
    const { token } = (await ingress(ann).expect(200)).body;
    expect(decodeJwt(token)['sid']).toBe(decodeJwt(ann)['sid']);
    await ingress(token).expect(200);
    await revoke(ann, { token }).expect(200);
    await expectEnded(ann);
    await ingress(token).expect(401);
  });
});

describe('introspection (RFC 7662)', () => {
  const introspect = (caller: string, token: string) =>
    post('/api/v1/auth/introspect', caller).type('form').send({ token });

  it('shows the claims of a session to operators, and only that it is not active once it has ended', async () => {
    const ann = await login('ann');
    const shown = (await introspect(operator(), ann).expect(200)).body;
    expect(shown).toMatchObject({ active: true, token_use: 'session', username: 'Ann@example.dev' });
    expect([shown.sub, shown.sid]).toEqual([decodeJwt(ann).sub, decodeJwt(ann)['sid']]);
    await signOut(ann, 'ann@example.dev').expect(204);
    await expectEnded(ann);
    await introspect(operator(), ann).expect(200, { active: false });
  });

  // Attack: introspection tells about tokens that are none of the caller's business.
  it('is no oracle: one answer for every bad token, and none for people and controllers', async () => {
    const [ann, expired] = [await login('ann'), api.session({ uid: 'u', email: 'a@b.c', exp: 1 })];
    const access = api.accessToken({ type: 'controller', id: 'c.example.dev' });
    for (const bad of ['x', `${ann}x`, expired, access]) {
      await introspect(operator(), bad).expect(200, { active: false });
    }
    for (const caller of [ann, access]) {
      expect((await introspect(caller, ann).expect(403)).body.error).toBe('access_denied');
    }
    await introspect(operator(), '').expect(400);
  });

  it('shows an ingress token to service accounts of its project alone, while they exist', async () => {
    const projects = ['near', 'far'];
    const accounts: Record<string, string> = {};
    for (const project of projects) {
      const body = { name: project, access_class: 'public' };
      await api.as('admin', 'post', '/api/v1/projects').send(body).expect(201);
      const account = { name: 'ci', issuer_url: 'https://ci.example.dev', claims: { aud: 'p', sub: 's' } };
      const path = `/api/v1/projects/${project}/service-accounts`;
      const { uid, email } = (await api.as('admin', 'post', path).send(account).expect(201)).body;
      accounts[project] = api.accessToken({ type: 'service_account', uid, email, project });
    }
    const ann = await login('ann');
    const answer = await request(api.publicUrl)
      .get('/api/v1/auth/ingress?project=near')
      .set('Authorization', `Bearer ${ann}`);
    const { token } = answer.body;
    const shown = (await introspect(accounts['near'] ?? '', token).expect(200)).body;
    expect(shown).toMatchObject({ active: true, token_use: 'ingress', project: 'near' });
    await introspect(accounts['far'] ?? '', token).expect(200, { active: false });
    expect((await introspect(accounts['near'] ?? '', ann).expect(200)).body.active).toBe(true);
    await api.as('admin', 'delete', '/api/v1/projects/near/service-accounts/ci').expect(200);
    await introspect(accounts['near'] ?? '', token).expect(401);
  });
});
