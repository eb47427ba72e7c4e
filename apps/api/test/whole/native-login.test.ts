import { createHash } from 'node:crypto';
import { developmentPeople } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser, until } from '@platform/development/testing';
import { decodeJwt } from 'jose';
import request from '../openapi/documented-request.ts';
import { people } from './whole-api.ts';
import { apiWithProvider } from './with-provider.ts';

const unverified = {
  subject: 'unverified',
  email: 'u@example.dev',
  emailVerified: false,
  name: 'U',
  groups: [],
  note: '',
};
const api = apiWithProvider(
  { auth: { operator_users: ['Admin@Platform.Localhost', people.operator] } },
  { people: [...developmentPeople, unverified] },
);

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
    expect((await exchange({ client_id: '', redirect_uri: '' }).expect(400)).body).toEqual({
      error: 'invalid_request',
      error_description: 'client_id is required; code is required; redirect_uri is required',
    });
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
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a reference to one', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['a login without pages', { prompt: 'none' }, 'login_required'],
    ['a prompt that does not exist', { prompt: 'create' }, 'invalid_request'],
    ['an age that is no number', { max_age: 'soon' }, 'invalid_request'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
  ])('sends %s back to the client as an error', async (_, changes, error) => {
    const answer = await authorize(changes).expect(303);
    const target = new URL(answer.headers['location'] ?? '');
    expect(target.origin + target.pathname).toBe(redirectUri);
    expect(target.searchParams.get('error')).toBe(error);
    expect(target.searchParams.get('state')).toBe('app-state');
    expect(target.searchParams.get('iss')).toBe(api.publicUrl);
  });

  it('refuses a state that is not UTF-8: it would come back changed', async () => {
    const query = new URLSearchParams({ ...good, state: '' }).toString().replace('state=', 'state=%FF');
    const { body } = await request(api.publicUrl).get(`/api/v1/auth/authorize?${query}`).expect(400);
    expect(body.code).toBe('invalid_query');
  });

  // RFC 6749 section 4.1.2.1: a client that is not told waits until it gives up.
  it('tells the client why there is no session, and records it', async () => {
    const start = `${api.publicUrl}/api/v1/auth/authorize?${new URLSearchParams(good)}`;
    const atCallback = (url: string) => url.startsWith(`${api.publicUrl}/api/v1/auth/callback`);
    const errors: (string | null)[] = [];
    for (const [subject, code] of [
      ['unverified', null],
      ['admin', 'another code'],
    ] as const) {
      const browser = new ScriptlessBrowser();
      const { location } = await chooseAtDevelopmentProvider(browser, start, subject, atCallback);
      const url = new URL(location ?? '');
      if (code !== null) url.searchParams.set('code', code);
      const { origin, searchParams } = new URL((await browser.open(url.href)).location ?? '');
      expect([origin, searchParams.get('state')]).toEqual([new URL(redirectUri).origin, 'app-state']);
      errors.push(searchParams.get('error'));
    }
    expect(errors).toEqual(['access_denied', 'server_error']);
    const recorded = async () => {
      const audit = api.as('operator', 'get', '/api/v1/audit').query({ action: 'auth.login', limit: 2 });
      const items: { outcome: string; details: { error?: string } }[] = (await audit.expect(200)).body.items;
      return items.map(({ outcome, details }) => [outcome, details.error]);
    };
    await until(async () => (await recorded())[0]?.[1] === 'server_error');
    expect(await recorded()).toEqual([
      ['failed', 'server_error'],
      ['denied', 'access_denied'],
    ]);
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

it('leaves no code, state, token or secret in the log', () => {
  expect(api.log).not.toMatch(/client-secret-of-the-platform|[?&](code|state)=[\w-]{10}|eyJ[\w-]{10}/);
});
