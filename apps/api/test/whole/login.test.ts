import { developmentPeople } from '@platform/development';
import { ScriptlessBrowser } from '@platform/development/testing';
import { decodeJwt } from 'jose';
import request from '../openapi/documented-request.ts';
import { apiWithProvider, callbackOf as callbackAt } from './with-provider.ts';

const unverified = {
  subject: 'unverified',
  email: 'admin@example.dev',
  emailVerified: false,
  name: 'U',
  groups: [],
  note: '',
};

const api = apiWithProvider(
  {
    server: { jwt_claims: ['name', 'groups'] },
    auth: {
      operator_users: ['Admin@Platform.Localhost', 'operator@example.dev'],
      admin_users: ['admin@platform.localhost', 'admin@example.dev'],
    },
  },
  { people: [...developmentPeople, unverified] },
);

const host = 'localhost';
const loginUrl = () => `${api.publicUrl}/api/v1/auth/login?redirect=${encodeURIComponent('/')}`;
const callbackOf = (browser: ScriptlessBrowser, subject = 'dev', redirect = '/') =>
  callbackAt(api, browser, subject, redirect);

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
    const names = browser.cookieNames(host).filter((name) => name.startsWith('platform_login_'));
    const value = browser.cookie(host, 'platform_login');
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
    for (const name of [...names, 'platform_login']) browser.plant(host, name, `${value}x`);
    expect((await browser.open(url.href)).status).toBe(400);
  });

  it('lets several tabs of a browser log in at the same time, in any order', async () => {
    const browser = new ScriptlessBrowser();
    const urls: string[] = [];
    for (const path of ['/a', '/b', '/c']) urls.push(await callbackOf(browser, 'dev', path));
    const [a = '', b = '', c = ''] = urls;
    for (const [url, path] of [
      [b, '/b'],
      [c, '/c'],
      [a, '/a'],
    ] as const)
      expect((await browser.open(url)).location).toBe(`${api.publicUrl}${path}`);
    expect(browser.cookieNames(host)).toEqual(['platform_session']);
    for (const url of urls) expect((await browser.open(url)).status).toBe(400);
  });

  it('keeps the cookies of the latest four logins', async () => {
    const browser = new ScriptlessBrowser();
    const urls: string[] = [];
    for (let at = 0; at < 6; at += 1) urls.push(await callbackOf(browser));
    const names = browser.cookieNames(host).filter((name) => name.startsWith('platform_login_'));
    expect(names).toHaveLength(4);
    const statuses: number[] = [];
    for (const url of urls) statuses.push((await browser.open(url)).status);
    expect(statuses).toEqual([400, 400, 303, 303, 303, 303]);
  });

  // Attack: a page sends the browser to logins with long redirects, whose cookies make a proxy refuse each of its requests.
  it('keeps the cookies of logins below 8 KiB', async () => {
    const browser = new ScriptlessBrowser();
    const path = `/${'a'.repeat(1_900)}`;
    for (let at = 0; at < 3; at += 1) await callbackOf(browser, 'dev', path);
    const names = browser.cookieNames(host).filter((name) => name.startsWith('platform_login'));
    const bytes = names.map((name) => `${name}=${browser.cookie(host, name)}; `).join('').length;
    expect(bytes).toBeLessThan(6_400);
    expect((await browser.open(await callbackOf(browser, 'dev', path))).status).toBe(303);
  });

  it('completes a login that a replica of the previous release began', async () => {
    const [begun, browser] = [new ScriptlessBrowser(), new ScriptlessBrowser()];
    const url = await callbackOf(begun);
    browser.plant(host, 'platform_login', begun.cookie(host, 'platform_login') ?? '');
    expect((await browser.open(url)).status).toBe(303);
    expect(browser.cookie(host, 'platform_login')).toBeUndefined();
  });

  // The state is used up, so that sending the request again cannot help.
  it.each<[string, (parameters: URLSearchParams) => void]>([
    ['without a code', (parameters) => parameters.delete('code')],
    ['with an empty code', (parameters) => parameters.set('code', '')],
    ['with a code that the provider refuses', (parameters) => parameters.set('code', 'other')],
    ['of another issuer', (parameters) => parameters.set('iss', 'https://evil.example')],
    ['with a signed response', (parameters) => parameters.set('response', 'x')],
    ['with an ID token', (parameters) => parameters.set('id_token', 'x')],
  ])('rejects a callback %s, and says to start again', async (_what, change) => {
    const browser = new ScriptlessBrowser();
    const url = new URL(await callbackOf(browser));
    change(url.searchParams);
    const answer = await browser.open(url.href);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('start again');
    expect(browser.cookie(host, 'platform_session')).toBeUndefined();
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
