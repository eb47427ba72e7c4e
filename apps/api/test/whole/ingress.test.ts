import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { decodeJwt } from 'jose';
import jwt from 'jsonwebtoken';
import { WholeApi } from './whole-api.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const api = new WholeApi(() => ({
  server: { rs256_private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) },
}));
const member = { uid: 'u-1', email: 'member@example.dev' };

beforeAll(async () => {
  const project = (fields: object) => api.as('admin', 'post', '/api/v1/projects').send(fields).expect(201);
  const members = [member.email];
  await project({
    name: 'shop',
    url: 'https://shop.example',
    custom_domains: ['https://www.example'],
    members,
  });
  await project({ name: 'local', url: 'http://local.localhost:3000', members });
  await project({ name: 'locked', url: 'https://locked.example' });
});

interface Reply {
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly text: string;
  readonly headers: Headers;
}

/** Without fetch, which sets `Sec-Fetch-Mode` itself. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  const asked = request(`${api.publicUrl}${path}`, { method, headers });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return {
    status: answer.statusCode ?? 0,
    location: answer.headers.location ?? null,
    cookies: answer.headers['set-cookie'] ?? [],
    text,
    headers: new Headers(answer.headers as Record<string, string>),
  };
}

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
const session = () => ({ cookie: `platform_session=${api.session(member)}` });
const start = (query: Record<string, string>, headers: Record<string, string> = session()) =>
  ask(`/api/v1/auth/ingress/start?${new URLSearchParams(query)}`, headers);
const forward = (project: string, uri: string, headers: Record<string, string> = {}, method?: string) =>
  ask(`/api/v1/auth/ingress/forward/${project}`, { ...page, 'x-forwarded-uri': uri, ...headers }, method);
const pairOf = (cookie = '') => cookie.split(';', 1)[0] ?? '';

/** A visitor on the way back to the project's host, with the cookie that binds the login to the browser. */
async function onTheWayBack(project: string, uri = '/orders') {
  const leaving = await forward(project, uri);
  const started = await ask((leaving.location ?? '').slice(api.publicUrl.length), session());
  const back = new URL(started.location ?? '');
  return { binding: pairOf(leaving.cookies[0]), back, uri: `${back.pathname}${back.search}` };
}

describe('GET /api/v1/auth/ingress/start', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    'https://evil.example',
    'evil.example',
    '/\r\nSet-Cookie: x=y',
    '/\t/evil.example',
    '/\u0000',
    '/ü',
  ])('refuses %j as path, which would lead elsewhere, before and after the login', async (path) => {
    for (const headers of [session(), {}] as Record<string, string>[]) {
      const { status, location } = await start({ project: 'shop', path }, headers);
      expect([status, location]).toEqual([400, null]);
    }
  });

  it.each(['/%2f%2fevil.example', '/%5cevil.example', '/a?next=//evil.example', '/@evil.example'])(
    'stays on the host of the project with the path %s',
    async (path) => {
      const { location } = await start({ project: 'shop', path });
      expect(new URL(location ?? '').origin).toBe('https://shop.example');
    },
  );

  it('answers people without rights with a page, the same for a project that does not exist', async () => {
    const replies = await Promise.all(
      ['locked', 'never-made'].map((project) => start({ project }, { ...page, ...session() })),
    );
    for (const { status, headers, text } of replies) {
      expect(status).toBe(403);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).toContain('You are logged in as member@example.dev.');
    }
    const [locked, unknown] = replies.map(({ text }) =>
      text.replace(/request [\w-]+|locked|never-made/g, ''),
    );
    expect(locked).toBe(unknown);
    expect((await start({ project: 'locked' })).headers.get('content-type')).toContain('problem+json');
  });

  it.each(['\u0000', 'shop\u0000', 'Shop', '-', '', 'x'.repeat(5000)])(
    'answers the project %j like one that does not exist',
    async (project) => {
      expect((await start({ project })).status).toBe(403);
    },
  );

  it('escapes what it shows', async () => {
    const name = '<script>alert(1)</script>"@example.dev';
    const cookie = `platform_session=${api.session({ uid: 'u-9', email: name })}`;
    const { text } = await start({ project: '"><script>' }, { ...page, cookie });
    expect(text).not.toContain('<script');
  });
});

describe('forward-auth', () => {
  it('hands a visitor over with a code for this browser, once', async () => {
    const { binding, back, uri } = await onTheWayBack('shop', '/orders?a=b&c=%2F');
    expect(back.href).toMatch(/^https:\/\/shop\.example\/\.platform\/callback\?code=[\w-]{43}$/);
    expect((await forward('shop', uri)).status).toBe(400);
    expect((await forward('shop', uri, { cookie: `${binding}x` })).status).toBe(400);
    expect((await forward('local', uri, { cookie: binding })).status).toBe(400);
    expect((await forward('shop', uri, { cookie: binding }, 'HEAD')).status).toBe(405);
    const replies = await Promise.all([1, 2, 3].map(() => forward('shop', uri, { cookie: binding })));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    const arrived = replies.find(({ status }) => status === 303);
    expect(arrived?.location).toBe('https://shop.example/orders?a=b&c=%2F');
    expect(arrived?.headers.get('cache-control')).toBe('no-store');
    const rows = await api.database.sql`select hash, sealed from login_once`;
    expect(JSON.stringify(rows)).not.toContain(back.searchParams.get('code'));
  });

  it('sets cookies with the __Host- prefix for an https project, and takes no other name there', async () => {
    const { binding, uri } = await onTheWayBack('shop');
    expect(binding).toMatch(/^__Host-platform_ingress_login=/);
    const arrived = await forward('shop', uri, { cookie: binding });
    expect(arrived.cookies).toHaveLength(1);
    expect(arrived.cookies[0]).toMatch(
      /^__Host-platform_ingress=eyJ[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    const cookie = pairOf(arrived.cookies[0]);
    expect((await ask('/api/v1/auth/ingress?project=shop', { cookie })).status).toBe(200);
    // Attack: another subdomain plants a cookie, which it can only do without the prefix.
    const planted = cookie.replace('__Host-', '');
    expect((await ask('/api/v1/auth/ingress?project=shop', { cookie: planted })).status).toBe(401);
  });

  it('takes the cookie for its own project alone, and nowhere else', async () => {
    const { binding, uri } = await onTheWayBack('local');
    expect(binding).toMatch(/^platform_ingress_login=/);
    const cookie = pairOf((await forward('local', uri, { cookie: binding })).cookies[0]);
    expect((await ask('/api/v1/auth/ingress?project=local', { cookie })).status).toBe(200);
    const renamed = cookie.replace('platform_ingress', '__Host-platform_ingress');
    for (const project of ['shop', 'locked', 'never-made']) {
      expect((await ask(`/api/v1/auth/ingress?project=${project}`, { cookie: renamed })).status).toBe(401);
    }
    expect((await ask('/api/v1/auth/me', { cookie })).status).toBe(401);
    const asSession = cookie.replace('platform_ingress', 'platform_session');
    expect((await ask('/api/v1/auth/me', { cookie: asSession })).status).toBe(401);
  });

  it('replaces the cookie in the second half of its life, and not before, nor beyond the session', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: api.publicUrl,
      aud: 'http://local.localhost:3000',
      sub: member.uid,
      email: member.email,
    };
    const { keys } = (await (await fetch(`${api.publicUrl}/api/v1/auth/jwks`)).json()) as {
      keys: readonly [{ readonly kid: string }];
    };
    const [{ kid }] = keys;
    const visit = (left: number, sessionLeft: number) => {
      const times = { iat: now, exp: now + left, session_exp: now + sessionLeft };
      const ingress = { ...claims, ...times, project: 'local', token_use: 'ingress' };
      const token = jwt.sign(ingress, privateKey, { algorithm: 'RS256', keyid: kid });
      return forward('local', '/a', { cookie: `platform_ingress=${token}` });
    };
    expect((await visit(1900, 9000)).cookies).toEqual([]);
    const [renewed] = (await visit(1700, 9000)).cookies;
    expect(renewed).toMatch(/^platform_ingress=eyJ[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    const last = await visit(100, 1000);
    const token = decodeJwt(pairOf(last.cookies[0]).split('=')[1] ?? '');
    expect(token).toMatchObject({ exp: now + 1000, session_exp: now + 1000 });
    expect((await visit(1000, 1000)).cookies).toEqual([]);
  });

  it('reads the visit from the rest of its own path too, as Envoy sends it, with any method', async () => {
    const leaving = await ask('/api/v1/auth/ingress/forward/shop/orders?a=b&c=d', page);
    expect(new URL(leaving.location ?? '').searchParams.get('path')).toBe('/orders?a=b&c=d');
    const cookie = `platform_session=${api.session(member)}`;
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
      const bearer = { authorization: `Bearer ${api.session(member)}` };
      const { status } = await ask('/api/v1/auth/ingress/forward/shop/orders', { ...bearer, cookie }, method);
      expect(`${method} ${status}`).toBe(`${method} 200`);
    }
  });

  it('sends to the login what shows a page, and answers anything else with 401', async () => {
    expect((await forward('shop', '/', { 'sec-fetch-mode': 'cors' })).status).toBe(401);
    expect((await forward('shop', '/', { 'x-forwarded-method': 'POST' })).status).toBe(401);
    expect((await forward('shop', '/', { authorization: 'Basic YTpi' })).status).toBe(401);
    const withoutFetchMetadata = { accept: 'text/html', 'x-forwarded-uri': '/' };
    expect((await ask('/api/v1/auth/ingress/forward/shop', withoutFetchMetadata)).status).toBe(303);
    expect((await ask('/api/v1/auth/ingress/forward/shop')).status).toBe(401);
    expect((await forward('never-made', '/')).status).toBe(303);
  });

  it.each(['//evil.example/x', '/\\evil.example', '/.platform/callback', 'http://evil.example/'])(
    'starts at the root for a visit of %s, which cannot be a path to come back to',
    async (uri) => {
      const { location } = await forward('shop', uri);
      const { origin, searchParams } = new URL(location ?? '');
      expect([origin, searchParams.get('path')]).toEqual([api.publicUrl, '/']);
    },
  );

  it('keeps to a custom domain of the project, and to no other host', async () => {
    const at = async (host: string) => {
      const { location } = await forward('shop', '/', { 'x-forwarded-host': host });
      return new URL(location ?? '').searchParams.get('origin');
    };
    expect(await at('www.example')).toBe('https://www.example');
    expect(await at('WWW.example:443')).toBe('https://www.example');
    // Attack: parsers sort the combining marks of a host in quadratic time. A host that is longer than a name can be is not parsed.
    const long = `www.example:${'0'.repeat(300)}443`;
    for (const host of [
      long,
      'evil.example',
      'www.example:80',
      'www.example.evil.example',
      'www example',
      '',
    ]) {
      expect(await at(host)).toBeNull();
    }
  });

  it('tells a member who was removed with a page, cookie or not', async () => {
    const { binding, uri } = await onTheWayBack('local');
    const cookie = pairOf((await forward('local', uri, { cookie: binding })).cookies[0]);
    const change = (members: readonly string[]) =>
      api
        .as('admin', 'put', '/api/v1/projects/local')
        .send({ url: 'http://local.localhost:3000', members })
        .expect(200);
    await change([]);
    const refused = await forward('local', '/', { cookie });
    expect([refused.status, refused.location]).toEqual([403, null]);
    expect(refused.text).toContain('You may not open this project');
    await change([member.email]);
  });
});

describe('the form for nginx', () => {
  it('never answers with a token: a visitor who may pass is sent back to the page', async () => {
    const bearer = { authorization: `Bearer ${api.session(member)}` };
    const reply = await ask('/api/v1/auth/ingress/visit/shop', {
      ...page,
      ...bearer,
      'x-forwarded-uri': '/a?b',
    });
    expect([reply.status, reply.location, reply.text]).toEqual([303, '/a?b', '']);
    const evil = await ask('/api/v1/auth/ingress/visit/shop', {
      ...bearer,
      'x-forwarded-uri': '//evil.example',
    });
    expect(evil.location).toBe('/');
  });
});

it('leaves no code, token or cookie in the log', () => {
  expect(api.log).not.toMatch(/[?&]code=[\w-]{10}|eyJ[\w-]{10}|platform_ingress(_login)?=/);
});
