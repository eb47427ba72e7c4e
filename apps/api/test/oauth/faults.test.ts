import type { ServerResponse } from 'node:http';
import { documentedFetch } from '../openapi/documented-fetch.ts';
import { HandmadeApp, OIDC } from './app.ts';
import { startPlatform, type TestApp, type TestPlatform } from './platform.ts';
import { html, json, ScriptedProvider } from './scripted-provider.ts';

const ENDPOINTS = 'Failed to resolve OAuth endpoints: No authorization_endpoint in spec or OIDC discovery';
const UNVERIFIED = 'The ID token of the provider could not be verified';

let provider: ScriptedProvider;
let platform: TestPlatform;
let extension: TestApp;
let app: HandmadeApp;

/** Starts both; `timeoutMs` only where the provider keeps silent: a busy machine makes a good answer late. */
async function start(timeoutMs?: number): Promise<void> {
  provider = await new ScriptedProvider().start();
  platform = await startPlatform({
    upstreams: [provider.issuer],
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  extension = platform.extend({ project: 'shop', extension: 'login' }, {});
  app = new HandmadeApp(extension, provider);
}
async function stop(): Promise<void> {
  await Promise.all([provider.stop(), platform.close()]);
}
beforeEach(() => start());
afterEach(() => stop());

const huge = (response: ServerResponse) =>
  void response.writeHead(200).end(`{"x":"${'x'.repeat(1_100_000)}"}`);

describe('a provider whose discovery', () => {
  it.each([
    ['is huge', (_request: unknown, response: ServerResponse) => huge(response)],
    ['is a page', (_request: unknown, response: ServerResponse) => html(response)],
    ['fails', (_request: unknown, response: ServerResponse) => json(response, {}, 500)],
    [
      'redirects',
      (_request: unknown, response: ServerResponse) =>
        void response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
    ],
    [
      'names another issuer',
      (_request: unknown, response: ServerResponse) =>
        json(response, { ...provider.metadata, issuer: 'https://evil.example' }),
    ],
    [
      'names no endpoints',
      (_request: unknown, response: ServerResponse) => json(response, { issuer: provider.issuer }),
    ],
    [
      'names a private address',
      (_request: unknown, response: ServerResponse) =>
        json(response, { ...provider.metadata, token_endpoint: 'http://10.0.0.1/token' }),
    ],
    [
      'names a script',
      (_request: unknown, response: ServerResponse) =>
        json(response, { ...provider.metadata, authorization_endpoint: 'javascript:alert(1)' }),
    ],
  ])('%s makes authorize answer 502 with the documented text', async (_what, handler) => {
    provider.handlers.set('/.well-known/openid-configuration', handler);
    const response = await app.authorize();
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ error: 'server_error', error_description: ENDPOINTS });
  });

  it('is away leaves our keys where they are', async () => {
    const tokens = await app.tokens(OIDC);
    expect(tokens).toHaveProperty('upstream_id_token');
    platform.shared.clock.shiftMs += 2 * 60 * 60_000;
    await provider.stop();
    const response = await documentedFetch(`${extension.issuer}/jwks`);
    expect(response.status).toBe(200);
    expect(((await response.json()) as { keys: unknown[] }).keys).toHaveLength(1);
    expect((await documentedFetch(`${extension.issuer}/.well-known/openid-configuration`)).status).toBe(502);
    provider = await new ScriptedProvider().start();
  });
});

describe('a provider whose token endpoint', () => {
  const exchange = (status: number) => `Token exchange failed with status ${status}`;
  it.each([
    [
      'answers 400',
      'server_error',
      exchange(400),
      (response: ServerResponse) => json(response, { error: 'invalid_grant' }, 400),
    ],
    ['answers 500', 'server_error', exchange(500), (response: ServerResponse) => html(response, 500)],
    [
      'answers 200 with an error',
      'server_error',
      exchange(200),
      (response: ServerResponse) => json(response, { error: 'bad_verification_code' }),
    ],
    [
      'answers a page',
      'temporarily_unavailable',
      'Token exchange failed: the answer of the provider is not usable',
      (response: ServerResponse) => html(response),
    ],
    [
      'answers too much',
      'temporarily_unavailable',
      'Token exchange failed: the answer of the provider is not usable',
      huge,
    ],
    [
      // Attack: the client secret is sent to another address.
      'redirects',
      'server_error',
      exchange(307),
      (response: ServerResponse) => void response.writeHead(307, { Location: '/elsewhere' }).end(),
    ],
    [
      'hangs up',
      'temporarily_unavailable',
      'Token exchange failed: the answer of the provider is not usable',
      (response: ServerResponse) => void response.destroy(),
    ],
  ])('%s sends the person back to the app with the reason', async (_what, error, description, answer) => {
    provider.handlers.set('/token', (_request, response) => answer(response));
    expect(await app.login()).toEqual({ error, error_description: description, state: 'app state' });
    expect(provider.received.filter((request) => request.path === '/elsewhere')).toEqual([]);
  });

  it('is gone sends the person back as well', async () => {
    const callbackUrl = await app.toCallback();
    await provider.stop();
    const location = (await app.get(callbackUrl)).headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('error_description')).toBe(
      'Token exchange failed: the provider could not be reached',
    );
    provider = await new ScriptedProvider().start();
  });

  it('answers 500 to a refresh is told apart from a refused refresh', async () => {
    provider.handlers.set('/token', (_request, response) => json(response, {}, 500));
    const down = await app.token({ grant_type: 'refresh_token', refresh_token: 'x' });
    expect([down.status, await down.json()]).toEqual([
      502,
      { error: 'server_error', error_description: exchange(500) },
    ]);
    provider.handlers.set('/token', (_request, response) => json(response, { error: 'invalid_grant' }, 400));
    const refused = await app.token({ grant_type: 'refresh_token', refresh_token: 'x' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: exchange(400) },
    ]);
  });
});

describe('a provider that never answers', () => {
  const never = () => undefined;
  beforeEach(async () => {
    await stop();
    await start(1000);
  });

  it('for its discovery makes authorize answer 502', async () => {
    provider.handlers.set('/.well-known/openid-configuration', never);
    const response = await app.authorize();
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: 'server_error', error_description: ENDPOINTS },
    ]);
  });

  it('at its token endpoint sends the person back to the app with the reason', async () => {
    provider.handlers.set('/token', never);
    expect(await app.login()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Token exchange failed: the provider did not answer in time',
      state: 'app state',
    });
  });
});

describe('an ID token', () => {
  it.each([
    ['for another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['with another nonce', { nonce: 'replayed' }],
    ['that has expired', { exp: 1 }],
    ['without a subject', { sub: undefined }],
  ])('%s ends an OpenID Connect login', async (_what, claims) => {
    provider.claims = claims;
    expect(await app.login(OIDC)).toMatchObject({ error: 'server_error', error_description: UNVERIFIED });
  });

  it('with a changed signature ends the login, and an unsigned one too', async () => {
    const tokens = await provider.tokens();
    const [header, claims] = String(tokens['id_token']).split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [`${header}.${claims}.AAAA`, `${unsigned}.${claims}.`]) {
      provider.handlers.set('/token', (_request, response) =>
        json(response, { ...tokens, id_token: forged }),
      );
      expect(await app.login(OIDC)).toMatchObject({ error_description: UNVERIFIED });
    }
  });

  it('signed with a fresh key is accepted as soon as the key is published', async () => {
    await app.tokens(OIDC);
    platform.shared.clock.shiftMs += 30_000;
    await provider.rotate('key-2');
    expect(await app.tokens(OIDC)).toHaveProperty('upstream_id_token');
  });

  it('whose key has the id of ours does not get its key into our set', async () => {
    const ours = (
      (await (await documentedFetch(`${extension.issuer}/jwks`)).json()) as {
        keys: { kid: string; n: string }[];
      }
    ).keys[0];
    platform.shared.clock.shiftMs += 60_000;
    await provider.rotate(ours?.kid ?? '');
    const { keys } = (await (await documentedFetch(`${extension.issuer}/jwks`)).json()) as {
      keys: { kid: string; n: string }[];
    };
    expect(keys).toEqual([ours]);
    expect(await app.tokens(OIDC)).toHaveProperty('id_token');
  });
});

describe('a provider of the GitHub kind', () => {
  beforeEach(() => {
    platform.extend(
      { project: 'shop', extension: 'login' },
      {
        issuer_url: `${provider.issuer}/login`,
        authorization_endpoint: `${provider.issuer}/login/oauth/authorize`,
        token_endpoint: `${provider.issuer}/login/oauth/access_token`,
        scopes: ['read:user'],
      },
      { clientSecrets: extension.extension.clientSecrets, ...uids(extension.extension) },
    );
  });
  const uids = ({ projectUid, extensionUid, sealedUpstreamSecret }: TestApp['extension']) => ({
    projectUid,
    extensionUid,
    sealedUpstreamSecret,
  });
  const form = (response: ServerResponse, body: string) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' })
      .end(body);

  it('logs in without discovery, with form-encoded answers', async () => {
    provider.handlers.set('/login/oauth/access_token', ({ form: sent }, response) =>
      sent.get('client_secret') === 'the upstream secret' && sent.get('code') === 'upstream code'
        ? form(response, 'access_token=gho_1&scope=read%3Auser&token_type=bearer&expires_in=28800')
        : json(response, {}, 500),
    );
    expect(await app.tokens()).toEqual({
      access_token: 'gho_1',
      scope: 'read:user',
      token_type: 'Bearer',
      expires_in: 28_800,
    });
    expect(await app.tokens(OIDC)).not.toHaveProperty('id_token');
    const location = (await app.authorize()).headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('scope')).toBe('read:user');
  });

  it('is told apart when it answers 200 with an error', async () => {
    provider.handlers.set('/login/oauth/access_token', (_request, response) =>
      form(response, 'error=bad_verification_code&error_description=x'),
    );
    expect(await app.login()).toMatchObject({ error_description: 'Token exchange failed with status 200' });
  });

  it('serves discovery and keys without the provider’s', async () => {
    const document = (await (
      await documentedFetch(`${extension.issuer}/.well-known/openid-configuration`)
    ).json()) as Record<string, unknown>;
    expect(document).toMatchObject({ issuer: extension.issuer, token_endpoint: `${extension.issuer}/token` });
    expect(document).not.toHaveProperty('userinfo_endpoint');
    expect(
      (await documentedFetch(`${extension.issuer}/userinfo`, { headers: { Authorization: 'Bearer x' } }))
        .status,
    ).toBe(404);
    expect((await documentedFetch(`${extension.issuer}/jwks`)).status).toBe(200);
  });
});

describe('a path that is not percent-encoded UTF-8', () => {
  it.each([
    '/oidc/%ff/login/jwks',
    '/oidc/shop/%zz/token',
    '/oidc/shop/%c3/authorize',
    '/oidc/%ff/%ff/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/oidc/shop/%ff',
  ])('is refused as OAuth says: %s', async (path) => {
    const response = await fetch(platform.own + path);
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'The path is not percent-encoded UTF-8.',
    });
  });
});
