import { randomUUID } from 'node:crypto';
import { nativeClientId } from '@platform/login';
import * as oauth from 'oauth4webapi';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi(() => ({ limits: { oauth_requests_per_minute: 100_000 } }));
const revoke = '/api/v1/auth/revoke';
const introspect = '/api/v1/auth/introspect';

const session = (email = 'ann@example.dev', uid: string = randomUUID()) =>
  api.session({ uid, email, email_verified: true });
const controller = () => api.accessToken({ type: 'controller', id: 'ctrl.example.dev' });
const isAlive = async (token: string) =>
  (await request(api.publicUrl).get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`)).status ===
  200;

/** Waits until the replica knows that the session has ended. */
async function expectEnded(token: string): Promise<void> {
  while (await isAlive(token)) await new Promise((resolve) => setTimeout(resolve, 20));
}

const post = (path: string, authorization: string | null, form: object | string) => {
  const sent = request(api.publicUrl).post(path).type('form').send(form);
  return authorization === null ? sent : sent.set('Authorization', authorization);
};

describe.each([revoke, introspect])('a refusal of %s', (path) => {
  it.each([
    ['no credentials', null, 401, path === revoke ? 'invalid_client' : 'invalid_token', 'Bearer'],
    ['another scheme', 'Basic eDp5', 401, 'invalid_token', 'Bearer'],
    ['a token that is not valid', 'Bearer x', 401, 'invalid_token', 'Bearer error="invalid_token"'],
    ['a caller of another kind', 'controller', 403, 'access_denied', undefined],
  ])('for %s has the form of RFC 6749, and is not stored', async (_what, sent, status, error, challenge) => {
    const authorization = sent === 'controller' ? `Bearer ${controller()}` : sent;
    const answer = await post(path, authorization, { token: session() });
    expect([answer.status, answer.body.error, answer.headers['www-authenticate']]).toEqual([
      status,
      error,
      challenge,
    ]);
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['no parameter', {}],
    ['an empty one', { token: '' }],
    ['one that is sent twice', { token: ['a', 'b'] }],
    ['a second hint', { token: 'a', token_type_hint: ['b', 'c'] }],
  ])('for %s is invalid_request', async (_what, form) => {
    const answer = await post(
      path,
      `Bearer ${api.session('operator')}`,
      new URLSearchParams(pairs(form)).toString(),
    );
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('ignores a hint that it does not know', async () => {
    const form = { token: 'x', token_type_hint: 'unheard_of' };
    const answer = await post(path, `Bearer ${api.session('operator')}`, form).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

function pairs(form: object): [string, string][] {
  return Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
}

describe('a public client (RFC 7009, section 2.1)', () => {
  const asClient = (form: object) => post(revoke, null, form);

  it('revokes the session whose token it holds, as a library of OAuth does it', async () => {
    const discovered = await oauth.discoveryRequest(new URL(api.publicUrl), {
      [oauth.allowInsecureRequests]: true,
    });
    const server = await oauth.processDiscoveryResponse(new URL(api.publicUrl), discovered);
    expect(server).toMatchObject({
      revocation_endpoint: api.publicUrl + revoke,
      revocation_endpoint_auth_methods_supported: ['none'],
      introspection_endpoint: api.publicUrl + introspect,
      introspection_endpoint_auth_methods_supported: ['Bearer'],
    });
    const [held, another] = [session('ann@example.dev'), session('bob@example.dev')];
    const answer = await oauth.revocationRequest(server, { client_id: nativeClientId }, oauth.None(), held, {
      [oauth.allowInsecureRequests]: true,
    });
    await oauth.processRevocationResponse(answer);
    await expectEnded(held);
    expect(await isAlive(another)).toBe(true);
    // It is a success the second time, and for a token that never was one.
    await asClient({ client_id: nativeClientId, token: held }).expect(200);
    await asClient({ client_id: nativeClientId, token: 'x' }).expect(200);
  });

  // Attack: an app, which is handed the ingress tokens of its visitors, ends their sessions.
  it('cannot end a session by an ingress token, nor by an id', async () => {
    await api
      .as('admin', 'post', '/api/v1/projects')
      .send({ name: 'open', access_class: 'public' })
      .expect(201);
    const held = session();
    const { body } = await request(api.publicUrl)
      .get('/api/v1/auth/ingress?project=open')
      .set('Authorization', `Bearer ${held}`)
      .expect(200);
    const byIngress = await asClient({ client_id: nativeClientId, token: body.token }).expect(400);
    expect(byIngress.body.error).toBe('unsupported_token_type');
    const byId = await asClient({ client_id: nativeClientId, session_id: randomUUID() }).expect(401);
    expect(byId.body.error).toBe('invalid_client');
    expect(await isAlive(held)).toBe(true);
  });

  it.each([undefined, '', 'another'])('must be one that is known: %s', async (clientId) => {
    const held = session();
    const answer = await asClient({
      token: held,
      ...(clientId === undefined ? {} : { client_id: clientId }),
    });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    expect(await isAlive(held)).toBe(true);
  });

  it('is asked for before the rest of the request is validated', async () => {
    const answer = await request(api.publicUrl).post(revoke).type('text/plain').send('x');
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  it('counts only where no credentials were sent', async () => {
    const held = session();
    const form = { client_id: nativeClientId, token: held };
    expect((await post(revoke, 'Bearer x', form)).status).toBe(401);
    expect((await post(revoke, `Bearer ${session('bob@example.dev')}`, form)).body.error).toBe(
      'access_denied',
    );
    expect(await isAlive(held)).toBe(true);
  });
});

describe('a uid', () => {
  const signOut = (token: string, user: string) =>
    request(api.publicUrl)
      .post(`/api/v1/auth/users/${user}/sign-out`)
      .set('Authorization', `Bearer ${token}`);

  it('may be written in any case to sign out', async () => {
    for (const by of ['oneself', 'operator']) {
      const uid = randomUUID();
      const held = session('ann@example.dev', uid);
      await signOut(by === 'oneself' ? held : api.session('operator'), uid.toUpperCase()).expect(204);
      await expectEnded(held);
    }
  });
});

describe('who may ask who has access', () => {
  it('is decided before the question is read', async () => {
    const answer = await request(api.publicUrl)
      .get('/api/v1/access/subjects?verb=nonsense')
      .set('Authorization', `Bearer ${session()}`);
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  });
});
