import { parseExact } from '@platform/oauth-proxy';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { documentedFetch } from '../openapi/documented-fetch.ts';
import { APP, HandmadeApp, OIDC } from './app.ts';
import { startPlatform, type TestApp, type TestPlatform } from './platform.ts';
import { ScriptedProvider } from './scripted-provider.ts';

const VERIFIER = 'a'.repeat(43);
const CHALLENGE = 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA';

let provider: ScriptedProvider;
let platform: TestPlatform;
let extension: TestApp;
let app: HandmadeApp;

beforeEach(async () => {
  provider = await new ScriptedProvider().start();
  platform = await startPlatform({ upstreams: [provider.issuer] });
  extension = platform.extend({ project: 'shop', extension: 'login' }, {});
  app = new HandmadeApp(extension, provider);
});
afterEach(async () => {
  await Promise.all([provider.stop(), platform.close()]);
});

describe('the documented flow', () => {
  it('brings exactly code and state, and upstream’s tokens untouched', async () => {
    const back = await app.login();
    expect(Object.keys(back)).toEqual(['code', 'state']);
    const response = await app.token({ code: back['code'] ?? '' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const tokens = (await response.json()) as Record<string, string>;
    expect(tokens).toMatchObject({ access_token: 'at', token_type: 'Bearer', refresh_token: 'rt' });
    expect(decodeJwt(tokens['id_token'] ?? '').iss).toBe(provider.issuer);
  });

  it('hands over numbers with all their digits, from a code and from a refresh', async () => {
    const tokens = '{"access_token":"at","user_id":17841405793187219,"__proto__":{"n":1e400}}';
    provider.handlers.set(
      '/token',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'application/json' }).end(tokens),
    );
    const { code = '' } = await app.login();
    for (const grant of [{ code }, { grant_type: 'refresh_token', refresh_token: 'rt' }]) {
      const text = await (await app.token(grant)).text();
      expect(text).toBe(tokens.replace(/}$/, ',"token_type":"Bearer"}'));
    }
  });

  it('keeps state and code for their ten and five minutes and not longer', async () => {
    const { clock } = platform.shared;
    const callbackUrl = await app.toCallback();
    clock.shiftMs += 600_000;
    const late = await app.get(callbackUrl);
    expect(late.status).toBe(400);
    expect(await late.json()).toEqual({
      error: 'invalid_request',
      error_description: 'No cached state found for state token',
    });
    const { code = '' } = await app.login();
    clock.shiftMs += 300_000;
    const response = await app.token({ code });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid or expired authorization code',
    });
  });

  it('lets a public client in with its verifier, and nobody without', async () => {
    const { code = '' } = await app.login({ code_challenge: CHALLENGE, code_challenge_method: 'S256' });
    const none = await app.token({ code, client_secret: null });
    expect([none.status, await none.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    const right = await app.token({ code, client_secret: null, code_verifier: VERIFIER });
    expect(right.status).toBe(200);
  });

  it('answers a wrong secret with 401, and challenges who used the header', async () => {
    const { code = '' } = await app.login();
    const posted = await app.token({ code, client_secret: 'wrong' });
    expect([posted.status, await posted.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    const authorization = `Basic ${Buffer.from('shop-login:wrong').toString('base64')}`;
    const basic = await app.token({ code, client_id: null, client_secret: null }, { authorization });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await app.token({ code })).status).toBe(200);
  });

  it('takes forms only', async () => {
    const response = await documentedFetch(`${extension.issuer}/token`, {
      method: 'POST',
      body: '{"grant_type":"authorization_code"}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  // RFC 6749 section 5.2: a client that sends its code with GET reads the error as it reads every other.
  it.each([
    ['GET', 'token', 'POST, OPTIONS'],
    ['PUT', 'revoke', 'POST, OPTIONS'],
    ['POST', 'jwks', 'GET, OPTIONS'],
    ['POST', 'authorize', 'GET'],
  ])('refuses %s of %s as OAuth does', async (method, path, allow) => {
    const response = await documentedFetch(`${extension.issuer}/${path}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: `${method} is not valid for this path.`,
    });
  });

  it('refuses a body that is too large as OAuth does', async () => {
    const response = await app.token({ code: 'x'.repeat(70_000) });
    expect([response.status, await response.json()]).toMatchObject([413, { error: 'invalid_request' }]);
  });

  it('answers 404 for what does not exist, the same for project and extension', async () => {
    const bodies = await Promise.all(
      ['/oidc/none/login/token', '/oidc/shop/none/token'].map(async (path) => {
        const response = await documentedFetch(platform.publicUrl + path, {
          method: 'POST',
          body: new URLSearchParams({ a: 'b' }),
        });
        expect(response.status).toBe(404);
        return response.text();
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('OpenID Connect', () => {
  it('signs the ID token with a key of the proxy, which jwks serves together with upstream’s', async () => {
    const tokens = await app.tokens({ ...OIDC, nonce: 'app nonce' });
    const keys = (await (await documentedFetch(`${extension.issuer}/jwks`)).json()) as JSONWebKeySet;
    expect(keys.keys.map((key) => key.kid)).toEqual([expect.stringMatching(/^[\w-]{43}$/), 'key-1']);
    const { payload, protectedHeader } = await jwtVerify(
      String(tokens['id_token']),
      createLocalJWKSet(keys),
      {
        issuer: extension.issuer,
        audience: 'shop-login',
      },
    );
    expect(payload).toMatchObject({ sub: 'alice', nonce: 'app nonce', upstream_iss: provider.issuer });
    expect(protectedHeader.kid).toBe(keys.keys[0]?.kid);
    const upstream = await jwtVerify(String(tokens['upstream_id_token']), createLocalJWKSet(keys));
    expect(upstream.payload.iss).toBe(provider.issuer);
  });

  it('carries iss in the redirect, also in one with an error', async () => {
    expect((await app.login(OIDC))['iss']).toBe(extension.issuer);
    const refused = await app.login(OIDC, {
      error: 'access_denied',
      error_description: 'no',
      iss: provider.issuer,
    });
    expect(refused).toEqual({
      error: 'access_denied',
      error_description: 'no',
      state: 'app state',
      iss: extension.issuer,
    });
  });

  // A provider in Latin-1: the app must still learn that the login has ended.
  it('returns an error of the provider whose description is not UTF-8', async () => {
    const callbackUrl = await app.toCallback({}, { error: 'access_denied' });
    const response = await app.get(`${callbackUrl}&error_description=Acc%E8s`);
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'Acc?s',
    });
  });

  it('refreshes with a sealed token, and signs again', async () => {
    const first = await app.tokens({ ...OIDC, nonce: 'n' });
    provider.claims = { nonce: undefined };
    const refreshToken = String(first['refresh_token']);
    const response = await app.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const second = (await response.json()) as Record<string, string>;
    expect(decodeJwt(second['id_token'] ?? '').iss).toBe(extension.issuer);
    expect(provider.received.at(-1)?.form.get('refresh_token')).toBe('rt');
    expect(refreshToken).not.toContain('rt.rt');
  });

  it('signs numbers with all their digits, from a code and from a refresh', async () => {
    const claims = '"account":17841405793187219,"nested":[{"ratio":0.1234567890123456789}]';
    provider.claims = parseExact(`{${claims}}`) as Record<string, unknown>;
    const first = await app.tokens({ ...OIDC, nonce: 'n' });
    const refreshToken = String(first['refresh_token']);
    const second = await app.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    for (const tokens of [first, (await second.json()) as Record<string, unknown>]) {
      const payload = String(tokens['id_token']).split('.')[1] ?? '';
      expect(Buffer.from(payload, 'base64url').toString('utf8')).toContain(claims);
    }
  });
});

describe('a login', () => {
  it('writes nothing secret into the log, whether it succeeds or fails', async () => {
    const callbackUrl = await app.toCallback(OIDC);
    const back = await app.get(callbackUrl);
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    await app.token({ code });
    await app.token({ code });
    await app.get(callbackUrl);
    provider.handlers.set(
      '/token',
      (_request, response) => void response.writeHead(400).end('{"error":"invalid_client"}'),
    );
    await app.login(OIDC);
    const logged = JSON.stringify(platform.log.lines);
    const state = new URL(callbackUrl).searchParams.get('state') ?? '';
    for (const secret of [code, state, extension.secret, 'the upstream secret', 'upstream code'])
      expect(logged).not.toContain(secret);
    expect(logged).toContain('Token exchange failed with status 400');
  });

  it('redirects to the app with the referrer and caches kept out', async () => {
    const response = await app.get(await app.toCallback());
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe('');
    expect(response.headers.get('location')).toMatch(APP);
  });

  it('is not used up by a link preview', async () => {
    const callbackUrl = await app.toCallback();
    expect((await documentedFetch(callbackUrl, { method: 'HEAD', redirect: 'manual' })).status).toBe(405);
    expect((await app.get(callbackUrl)).status).toBe(302);
  });
});

describe('a refusal', () => {
  it('is a page for a person, with nothing of the request in it that could run', async () => {
    const response = await app.authorize(
      { redirect_uri: 'https://evil.example/"><script>' },
      { Accept: 'text/html,*/*' },
    );
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(response.headers.get('location')).toBeNull();
    const page = await response.text();
    expect(page).toContain('redirect_uri is not allowed for this project');
    expect(page).not.toMatch(/<script|evil/);
  });

  it('is JSON for everybody else', async () => {
    const response = await app.authorize({ response_type: 'token', redirect_uri: APP });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'unsupported_response_type', error_description: 'response_type must be code' },
    ]);
  });
});
