import { createHash } from 'node:crypto';
import { developmentPeople, startDevelopmentIdentityProvider } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '@platform/development/testing';
import { decodeJwt } from 'jose';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

let provider: Awaited<ReturnType<typeof startDevelopmentIdentityProvider>>;
const unverified = {
  subject: 'unverified',
  email: 'admin@example.dev',
  emailVerified: false,
  name: 'U',
  groups: [],
  note: '',
};

const api = new WholeApi(async (publicUrl) => {
  provider = await startDevelopmentIdentityProvider({
    port: 0,
    clientId: 'platform',
    clientSecret: 'client-secret-of-the-platform',
    redirectUris: [`${publicUrl}/api/v1/auth/callback`],
    people: [...developmentPeople, unverified],
  });
  return {
    server: { jwt_claims: ['name', 'groups'] },
    auth: {
      issuer: provider.issuer,
      client_id: 'platform',
      client_secret: 'client-secret-of-the-platform',
      operator_users: ['Admin@Platform.Localhost', 'operator@example.dev'],
      admin_users: ['admin@platform.localhost', 'admin@example.dev'],
    },
    outbound: { allow_insecure_origins: [provider.issuer] },
  };
});
afterAll(() => provider.close());

const host = 'localhost';
const atCallback = (url: string) => url.startsWith(`${api.publicUrl}/api/v1/auth/callback`);
const loginUrl = (redirect = '/') =>
  `${api.publicUrl}/api/v1/auth/login?redirect=${encodeURIComponent(redirect)}`;

/** The callback URL of a login that was completed at the provider, not yet opened. */
async function callbackOf(browser: ScriptlessBrowser, subject = 'dev', redirect = '/'): Promise<string> {
  const page = await chooseAtDevelopmentProvider(browser, loginUrl(redirect), subject, atCallback);
  if (page.location === null) throw new Error(page.text);
  return page.location;
}

describe('browser login', () => {
  it('ends with a session cookie at the path that was asked for, and /me says who it is', async () => {
    const browser = new ScriptlessBrowser();
    const done = await browser.open(await callbackOf(browser, 'admin', '/docs?x=1#y'));
    expect([done.status, done.location]).toEqual([303, `${api.publicUrl}/docs?x=1#y`]);
    const set = done.headers.getSetCookie().find((cookie) => cookie.startsWith('platform_session='));
    expect(set).toMatch(/; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/);
    expect(done.headers.get('cache-control')).toBe('no-store');
    const me = await browser.open(`${api.publicUrl}/api/v1/auth/me`);
    expect(JSON.parse(me.text)).toMatchObject({
      type: 'user',
      email: 'admin@platform.localhost',
      operator: true,
      admin: true,
    });
    const claims = decodeJwt(browser.cookie(host, 'platform_session') ?? '');
    expect(claims).toMatchObject({
      iss: api.publicUrl,
      aud: api.publicUrl,
      name: 'Ada Admin',
      groups: ['operators'],
    });
  });

  it('keeps the user over logins, by issuer and subject', async () => {
    const uids = [];
    for (const _ of [1, 2]) {
      const browser = new ScriptlessBrowser();
      await browser.open(await callbackOf(browser));
      uids.push(decodeJwt(browser.cookie(host, 'platform_session') ?? '').sub);
    }
    expect(uids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(uids[1]).toBe(uids[0]);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'https://evil.example',
    'http://localhost.evil.example',
    'javascript:alert(1)',
    'https:evil.example',
    '/%0d%0aSet-Cookie:x',
    'relative',
    '',
  ])('rejects the redirect %j before the login starts', async (redirect) => {
    const answer = await request(api.publicUrl).get('/api/v1/auth/login').query({ redirect });
    if (redirect === '/%0d%0aSet-Cookie:x') expect(answer.headers['location'] ?? '').not.toContain('\n');
    else expect(answer.status).toBe(400);
  });

  it('may end at the URL of a project, by exact origin', async () => {
    const as = (path: string) => api.as('admin', 'post', path);
    await as('/api/v1/projects').send({ name: 'target', url: 'https://target.example' }).expect(201);
    const ask = (redirect: string) => request(api.publicUrl).get('/api/v1/auth/login').query({ redirect });
    await ask('https://target.example/deep?x').expect(303);
    await ask('https://target.example.evil.example/').expect(400);
    await ask('https://target.example@evil.example/').expect(400);
  });

  // Attack (open redirect): a link to the login ends at a page of a project's own domain that asks for the password again.
  it('shows a person where it leads before it ends at a domain that a project brought along', async () => {
    const create = (name: string, url?: string) =>
      api.as('admin', 'post', '/api/v1/projects').send({ name, url }).expect(201);
    await create('foreign', 'https://foreign.example');
    const { url: own } = (await create('own')).body as { url: string };
    const asPage = () => new ScriptlessBrowser({ 'Sec-Fetch-Dest': 'document' });

    const browser = asPage();
    const page = await browser.open(await callbackOf(browser, 'dev', 'https://foreign.example/deep?x=<1>'));
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.text).toContain('href="https://foreign.example/deep?x=%3C1%3E"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(browser.cookie(host, 'platform_session')).toBeDefined();

    for (const redirect of ['/docs', `${api.publicUrl}/docs`, own]) {
      const known = asPage();
      expect((await known.open(await callbackOf(known, 'dev', redirect))).status).toBe(303);
    }
    const program = new ScriptlessBrowser();
    const followed = await program.open(await callbackOf(program, 'dev', 'https://foreign.example/deep'));
    expect([followed.status, followed.location]).toEqual([303, 'https://foreign.example/deep']);
  });

  it('refuses a callback in another browser: login CSRF and session fixation', async () => {
    const attacker = new ScriptlessBrowser();
    const url = await callbackOf(attacker);
    const victim = new ScriptlessBrowser();
    expect((await victim.open(url)).status).toBe(400);
    await victim.open(loginUrl());
    expect((await victim.open(url)).status).toBe(400);
    expect(victim.cookie(host, 'platform_session')).toBeUndefined();
  });

  it('replaces a session that was planted before', async () => {
    const browser = new ScriptlessBrowser();
    browser.plant(host, 'platform_session', api.session('stranger'));
    await browser.open(await callbackOf(browser));
    expect(decodeJwt(browser.cookie(host, 'platform_session') ?? '')['email']).toBe('dev@platform.localhost');
  });

  it('rejects a used state, even with the cookie of its login', async () => {
    const browser = new ScriptlessBrowser();
    const url = await callbackOf(browser);
    const cookie = browser.cookie(host, 'platform_login') ?? '';
    expect((await browser.open(url)).status).toBe(303);
    expect(browser.cookie(host, 'platform_login')).toBeUndefined();
    browser.plant(host, 'platform_login', cookie);
    const replayed = await browser.open(url);
    expect(replayed.status).toBe(400);
    expect(replayed.headers.getSetCookie().join()).not.toContain('platform_session=e');
  });

  it('rejects a changed, repeated or missing state, and a forged cookie', async () => {
    const browser = new ScriptlessBrowser();
    const url = new URL(await callbackOf(browser));
    const state = url.searchParams.get('state') ?? '';
    const changed = new URL(url);
    changed.searchParams.set('state', `${state}x`);
    const repeated = new URL(url);
    repeated.searchParams.append('state', state);
    const missing = new URL(url);
    missing.searchParams.delete('state');
    for (const attack of [changed, repeated, missing]) {
      const cookie = browser.cookie(host, 'platform_login') ?? '';
      expect((await browser.open(attack.href)).status).toBe(400);
      browser.plant(host, 'platform_login', cookie);
    }
    browser.plant(host, 'platform_login', `${browser.cookie(host, 'platform_login')}x`);
    expect((await browser.open(url.href)).status).toBe(400);
  });

  it('gives no session for an address that the provider has not verified, whoever it belongs to', async () => {
    const browser = new ScriptlessBrowser();
    const answer = await browser.open(await callbackOf(browser, 'unverified'));
    expect(answer.status).toBe(403);
    expect(browser.cookie(host, 'platform_session')).toBeUndefined();
  });

  it('tells a person that the provider refused, without repeating what it wrote', async () => {
    const browser = new ScriptlessBrowser();
    await browser.open(loginUrl());
    const started = await browser.open(loginUrl());
    const state = new URL(started.location ?? '').searchParams.get('state') ?? '';
    const answer = await browser.open(
      `${api.publicUrl}/api/v1/auth/callback?error=access_denied&error_description=%3Cscript%3E&state=${state}`,
    );
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('script');
  });
});

describe('native login', () => {
  const verifier = 'v'.repeat(64);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const redirectUri = 'http://127.0.0.1:53123/done';
  const good = {
    response_type: 'code',
    client_id: 'platform-cli',
    redirect_uri: redirectUri,
    state: 'app-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    nonce: 'n-1',
  };
  const authorize = (changes: object = {}) =>
    request(api.publicUrl)
      .get('/api/v1/auth/authorize')
      .query({ ...good, ...changes });
  const exchange = (fields: object) =>
    request(api.publicUrl)
      .post('/api/v1/auth/code/exchange')
      .send({
        grant_type: 'authorization_code',
        client_id: 'platform-cli',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...fields,
      });

  async function code(): Promise<string> {
    const browser = new ScriptlessBrowser();
    const start = `${api.publicUrl}/api/v1/auth/authorize?${new URLSearchParams(good)}`;
    const page = await chooseAtDevelopmentProvider(browser, start, 'admin', (url) =>
      url.startsWith(redirectUri),
    );
    const target = new URL(page.location ?? '');
    expect([...target.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(target.searchParams.get('state')).toBe('app-state');
    return target.searchParams.get('code') ?? '';
  }

  it('hands a code to the loopback redirect URI, which buys a session and an ID token', async () => {
    const answer = await exchange({ code: await code() }).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 });
    expect(decodeJwt(answer.body.id_token)).toMatchObject({
      aud: 'platform-cli',
      nonce: 'n-1',
      email: 'admin@platform.localhost',
    });
    const me = await request(api.publicUrl)
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${answer.body.access_token}`)
      .expect(200);
    expect(me.body.operator).toBe(true);
  });

  it('takes the parameters as a form too', async () => {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'platform-cli',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code: await code(),
    });
    await request(api.publicUrl)
      .post('/api/v1/auth/code/exchange')
      .type('form')
      .send(form.toString())
      .expect(200);
  });

  it('takes a code once: of concurrent redemptions one wins', async () => {
    const value = await code();
    const answers = await Promise.all([1, 2, 3].map(() => exchange({ code: value })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const replayed = await exchange({ code: value }).expect(400);
    expect(replayed.body).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid or expired authorization code',
    });
  });

  it('binds the code to verifier and redirect URI, and a wrong try does not burn it', async () => {
    const value = await code();
    expect((await exchange({ code: value, code_verifier: 'w'.repeat(64) }).expect(400)).body.error).toBe(
      'invalid_grant',
    );
    expect(
      (await exchange({ code: value, redirect_uri: 'http://127.0.0.1:1/done' }).expect(400)).body.error,
    ).toBe('invalid_grant');
    await exchange({ code: value }).expect(200);
  });

  it('answers malformed requests in the words of OAuth', async () => {
    expect((await exchange({}).expect(400)).body.error).toBe('invalid_request');
    expect((await exchange({ code: 'x', grant_type: 'password' }).expect(400)).body.error).toBe(
      'unsupported_grant_type',
    );
    expect((await exchange({ code: 'x', client_id: 'other' }).expect(401)).body.error).toBe('invalid_client');
    expect((await exchange({ code: ['x'] }).expect(400)).body.error).toBe('invalid_request');
  });

  it.each([
    ['another client', { client_id: 'other' }],
    ['a host that only looks like loopback', { redirect_uri: 'http://127.0.0.1.evil.example/' }],
    ['credentials', { redirect_uri: 'http://127.0.0.1@evil.example/' }],
    ['a fragment', { redirect_uri: 'http://127.0.0.1:1/#x' }],
    ['another scheme', { redirect_uri: 'https://evil.example/' }],
    ['a backslash', { redirect_uri: 'http://localhost\\@evil.example/' }],
  ])('refuses %s here, never by a redirect', async (_, changes) => {
    const answer = await authorize(changes).expect(400);
    expect(answer.headers['location']).toBeUndefined();
  });

  it.each([
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
  ])('sends %s back to the client as an error', async (_, changes, error) => {
    const answer = await authorize(changes).expect(303);
    const target = new URL(answer.headers['location'] ?? '');
    expect(target.origin + target.pathname).toBe(redirectUri);
    expect(target.searchParams.get('error')).toBe(error);
    expect(target.searchParams.get('state')).toBe('app-state');
    expect(target.searchParams.get('iss')).toBe(api.publicUrl);
  });

  // Attack (mix-up, RFC 9207): a client sends the code of one server to another. It requires `iss` where that is promised.
  it('promises to name itself in every answer, and does', async () => {
    const { body } = await request(api.publicUrl).get('/.well-known/openid-configuration').expect(200);
    expect(body.authorization_response_iss_parameter_supported).toBe(true);
    const browser = new ScriptlessBrowser();
    const started = await browser.open(`${api.publicUrl}/api/v1/auth/authorize?${new URLSearchParams(good)}`);
    const state = new URL(started.location ?? '').searchParams.get('state') ?? '';
    const refused = await browser.open(
      `${api.publicUrl}/api/v1/auth/callback?error=access_denied&state=${state}`,
    );
    expect(Object.fromEntries(new URL(refused.location ?? '').searchParams)).toMatchObject({
      error: 'access_denied',
      iss: api.publicUrl,
    });
  });
});

describe('sessions', () => {
  it('by cookie change things only for pages of the platform itself', async () => {
    const cookie = `platform_session=${api.session('admin')}`;
    const post = (origin?: string) => {
      const made = request(api.publicUrl)
        .post('/api/v1/projects')
        .set('Cookie', cookie)
        .send({ name: `p${Date.now()}` });
      return origin === undefined ? made : made.set('Origin', origin);
    };
    await post().expect(401);
    await post('https://evil.example').expect(401);
    await post(api.publicUrl).expect(201);
    await request(api.publicUrl).get('/api/v1/projects').set('Cookie', cookie).expect(200);
  });

  it('end by logout, which other sites cannot ask for', async () => {
    const logout = () => request(api.publicUrl).post('/api/v1/auth/logout');
    await logout().set('Origin', 'https://evil.example').expect(403);
    const answer = await logout().set('Origin', api.publicUrl).expect(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^platform_session=; .*Max-Age=0/);
  });

  it('are needed for /me', async () => {
    await request(api.publicUrl).get('/api/v1/auth/me').expect(401);
    const { body } = await api.as('stranger', 'get', '/api/v1/auth/me').expect(200);
    expect(body).toMatchObject({
      type: 'user',
      email: 'stranger@example.dev',
      operator: false,
      admin: false,
    });
  });
});

it('leaves no code, state, token or secret in the log', () => {
  expect(api.log).not.toMatch(/client-secret-of-the-platform|[?&](code|state)=[\w-]{10}|eyJ[\w-]{10}/);
});
