import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi(() => ({
  auth: {
    admin_users: [
      'admin@example.dev',
      'listed@example.dev',
      { group: 'admins' },
      { issuer: 'https://idp.example', sub: '42' },
    ],
  },
  limits: { encrypt_requests_per_hour: 3 },
  deployment_controller: { identity_token_ttl_seconds: 1800 },
}));

beforeAll(async () => {
  const project = (fields: object) => api.as('admin', 'post', '/api/v1/projects').send(fields).expect(201);
  await project({ name: 'closed', url: 'https://closed.example', members: ['member@example.dev'] });
  await project({ name: 'open', url: 'https://open.example', access_class: 'public' });
});

const jwks = () => createRemoteJWKSet(new URL(`${api.publicUrl}/api/v1/auth/jwks`));

describe('GET /api/v1/auth/ingress', () => {
  const path = (project: string) => `/api/v1/auth/ingress?project=${project}`;

  it('mints a token for the project URL that a third party can verify, with headers for forward-auth proxies', async () => {
    const exp = Math.floor(Date.now() / 1000) + 86_400;
    const session = api.session({ uid: 'u-0', email: 'member@example.dev', exp });
    const { body, headers } = await request(api.publicUrl)
      .get(path('closed'))
      .set('Authorization', `Bearer ${session}`)
      .expect(200);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      audience: 'https://closed.example',
      project: 'closed',
    });
    const { payload } = await jwtVerify(body.token, jwks(), {
      issuer: api.publicUrl,
      audience: 'https://closed.example',
    });
    expect(payload).toMatchObject({ email: 'member@example.dev', project: 'closed', token_use: 'ingress' });
    expect(headers).toMatchObject({
      'x-auth-request-user': payload.sub,
      'x-auth-request-email': 'member@example.dev',
      'x-auth-request-access-token': body.token,
      'cache-control': 'no-store',
    });
  });

  it('opens a public project to every session, a private one to its people, an unknown one to nobody', async () => {
    await api.as('stranger', 'get', path('open')).expect(200);
    const closed = await api.as('stranger', 'get', path('closed')).expect(403);
    const unknown = await api.as('stranger', 'get', path('never-made')).expect(403);
    expect(closed.body.detail).toBe(unknown.body.detail);
    await api.as('admin', 'get', path('never-made')).expect(403);
  });

  it('takes a session cookie, and an ingress token of the same project only', async () => {
    const cookie = `platform_session=${api.session('member')}`;
    const { body } = await request(api.publicUrl).get(path('closed')).set('Cookie', cookie).expect(200);
    const again = (project: string) =>
      request(api.publicUrl).get(path(project)).set('Authorization', `Bearer ${body.token}`);
    await again('closed').expect(200);
    await again('open').expect(401);
    await request(api.publicUrl)
      .get('/api/v1/projects')
      .set('Authorization', `Bearer ${body.token}`)
      .expect(401);
    await request(api.publicUrl).get(path('open')).expect(401);
  });

  it('counts an ingress token that is in order as no refused bearer token', async () => {
    const { body } = await api.as('member', 'get', path('closed')).expect(200);
    const refusals = async () =>
      /^platform_api_tokens_refused_total\{reason="issued_here"\} (\d+)/m.exec(
        (await request(api.publicUrl).get('/metrics').expect(200)).text,
      )?.[1] ?? '0';
    const before = await refusals();
    const ask = (project: string) =>
      request(api.publicUrl).get(path(project)).set('Authorization', `Bearer ${body.token}`);
    await ask('closed').expect(200);
    expect(await refusals()).toBe(before);
    await ask('never-made').expect(401);
    expect(await refusals()).toBe(String(Number(before) + 1));
  });

  it('stops opening a project to somebody who left it, ingress token or not', async () => {
    await api
      .as('admin', 'post', '/api/v1/projects')
      .send({ name: 'leaving', members: ['member@example.dev'] })
      .expect(201);
    const { body } = await api.as('member', 'get', path('leaving')).expect(200);
    await api.as('admin', 'put', '/api/v1/projects/leaving').send({ members: [] }).expect(200);
    await request(api.publicUrl)
      .get(path('leaving'))
      .set('Authorization', `Bearer ${body.token}`)
      .expect(403);
  });

  // Attack: somebody who has left renews an ingress token hour by hour, long after the session has ended.
  it('gives no token that outlives the session, however often it is renewed', async () => {
    const exp = Math.floor(Date.now() / 1000) + 1000;
    const session = api.session({ uid: 'u-1', email: 'member@example.dev', exp });
    const ask = async (token: string) =>
      (await request(api.publicUrl).get(path('closed')).set('Authorization', `Bearer ${token}`).expect(200))
        .body;
    const first = await ask(session);
    const second = await ask(first.token);
    for (const { token, expires_in } of [first, second]) {
      expect(decodeJwt(token)).toMatchObject({ exp, session_exp: exp });
      expect(expires_in).toBeLessThanOrEqual(1000);
    }
  });

  it.each([
    ['jürgen@exämple.dev', 'j%C3%BCrgen@ex%C3%A4mple.dev'],
    ['用户@example.dev', '%E7%94%A8%E6%88%B7@example.dev'],
    ['50%@example.dev', '50%25@example.dev'],
    ['a\r\nX-Admin: 1@example.dev', 'a%0D%0AX-Admin:%201@example.dev'],
    ['\ud800@example.dev', '%EF%BF%BD@example.dev'],
    ["o'hara+x@example.dev", "o'hara+x@example.dev"],
  ])('carries the address %j in a header as %s', async (email, shown) => {
    const token = api.session({ uid: 'u-1', email });
    const { headers } = await request(api.publicUrl)
      .get(path('open'))
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect(headers['x-auth-request-email']).toBe(shown);
  });

  it('opens a private project for an admin by group, again and again, and not for an unverified address', async () => {
    const ask = (token: string) =>
      request(api.publicUrl).get(path('closed')).set('Authorization', `Bearer ${token}`);
    const inGroup = api.session({ uid: 'u-2', email: 'g@example.dev', groups: ['admins', 'others'] });
    const { body } = await ask(inGroup).expect(200);
    expect(decodeJwt(body.token)['groups']).toEqual(['admins']);
    await ask(body.token).expect(200);
    await ask(api.session({ uid: 'u-2', email: 'g@example.dev', groups: ['others'] })).expect(403);
    const listed = { uid: 'u-3', email: 'listed@example.dev' };
    await ask(api.session(listed)).expect(200);
    const unverified = { ...listed, email_verified: false };
    await ask(api.session(unverified)).expect(403);
    await ask(api.session({ ...unverified, idp_iss: 'https://idp.example', idp_sub: '42' })).expect(200);
  });

  it('wants the project once', async () => {
    await api.as('member', 'get', '/api/v1/auth/ingress').expect(400);
    await api.as('member', 'get', `${path('open')}&project=closed`).expect(400);
  });
});

describe('POST /api/v1/identity/token', () => {
  const post = (credential: string | null, body: object) => {
    const made = request(api.publicUrl).post('/api/v1/identity/token');
    return (credential === null ? made : made.set('Authorization', `Bearer ${credential}`)).send(body);
  };
  const deployment = async () =>
    (
      await api
        .as('admin', 'post', '/api/v1/projects/closed/deployments')
        .send({ environment: 'production' })
        .expect(201)
    ).body;

  it('mints a workload token with the audience that was asked for, verifiable by a third party', async () => {
    const { bootstrap_credential: credential, uid } = await deployment();
    const { body, headers } = await post(credential, { audience: 'sts.example' }).expect(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 1800, audience: 'sts.example' });
    expect(headers['cache-control']).toBe('no-store');
    const { payload } = await jwtVerify(body.token, jwks(), {
      issuer: api.publicUrl,
      audience: 'sts.example',
    });
    expect(payload).toMatchObject({
      sub: 'platform:proj:closed:env:production',
      project: 'closed',
      environment: 'production',
      deployment: uid,
      token_use: 'workload',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1800);
  });

  it('takes a shorter lifetime, and no longer one', async () => {
    const { bootstrap_credential: credential } = await deployment();
    const { body } = await post(credential, { audience: 'a', ttl_seconds: 300 }).expect(200);
    const { exp = 0, iat = 0 } = decodeJwt(body.token);
    expect(exp - iat).toBe(300);
    for (const ttl of [0, -1, 1801, 1.5, '300'])
      await post(credential, { audience: 'a', ttl_seconds: ttl }).expect(400);
  });

  it('takes any printable audience as it is, and nothing else', async () => {
    const { bootstrap_credential: credential } = await deployment();
    const odd = 'https://sts.example/a?b=c&d="e" ü';
    expect((await post(credential, { audience: odd }).expect(200)).body.audience).toBe(odd);
    for (const audience of ['', 'x'.repeat(1025), 'a\nb', ['a'], null])
      await post(credential, { audience }).expect(400);
    await post(credential, { audience: 'a', extra: 1 }).expect(400);
  });

  it('refuses bad and revoked credentials, and every other kind of token', async () => {
    const made = await deployment();
    await api.as('admin', 'delete', `/api/v1/projects/closed/deployments/${made.uid}`).expect(200);
    for (const credential of [null, made.bootstrap_credential, 'x'.repeat(43), api.session('admin')]) {
      const answer = await post(credential, { audience: 'a' }).expect(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });
});

describe('POST /api/v1/encrypt', () => {
  const encrypt = (person: 'owner' | 'member' | 'stranger', body: object) =>
    api.as(person, 'post', '/api/v1/encrypt').send(body);

  it('seals differently each time, and never shows or logs what it sealed', async () => {
    const uid = '0197f0a0-0000-7000-8000-00000000000a';
    const as = { Authorization: `Bearer ${api.session({ uid, email: 'a@example.dev' })}` };
    const seal = () =>
      request(api.publicUrl).post('/api/v1/encrypt').set(as).send({ plaintext: 'very-secret-value' });
    const [one, two] = [await seal().expect(200), await seal().expect(200)];
    expect(one.body.encrypted).not.toBe(two.body.encrypted);
    expect(one.text + api.log).not.toContain('very-secret-value');
    await seal().expect(200);
    const refused = await seal().expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(refused.body.code).toBe('rate_limited');
  });

  it('wants a session and a plaintext', async () => {
    await request(api.publicUrl).post('/api/v1/encrypt').send({ plaintext: 'x' }).expect(401);
    await encrypt('owner', {}).expect(400);
    await api.as('admin', 'post', '/api/v1/encrypt').send({ plaintext: 'x', project: 'missing' }).expect(404);
    await encrypt('owner', { plaintext: '' }).expect(400);
    await encrypt('owner', { plaintext: 'x'.repeat(5000) }).expect(400);
  });
});
