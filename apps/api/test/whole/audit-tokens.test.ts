import { createHash, randomUUID } from 'node:crypto';
import { startDevelopmentIdentityProvider } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '@platform/development/testing';
import { decodeJwt } from 'jose';
import request from '../openapi/documented-request.ts';
import { auditOf } from './audit-records.ts';
import { ExternalIssuer } from './external-issuer.ts';
import { people, WholeApi } from './whole-api.ts';

const clientSecret = 'client-secret-of-the-platform';
const issuer = new ExternalIssuer();
const controller = 'ctrl.example.com';
const account = 'shop+ci@sa.platform.local';
const ann = { subject: 'ann', email: 'ann@example.dev', name: 'Ann', groups: [], note: '' };
let provider: Awaited<ReturnType<typeof startDevelopmentIdentityProvider>>;

const api = new WholeApi(async (publicUrl) => {
  await issuer.start();
  provider = await startDevelopmentIdentityProvider({
    port: 0,
    clientId: 'platform',
    clientSecret,
    people: [ann],
    redirectUris: [`${publicUrl}/oidc/shop/login/callback`],
  });
  const claims = { aud: 'platform', sub: 'ctrl-1' };
  return {
    auth: {
      operator_users: [people.operator],
      admin_users: [people.admin],
      controllers: [{ id: controller, issuer: issuer.url, claims }],
    },
    outbound: { allow_insecure_origins: [issuer.url, provider.issuer] },
  };
});
afterAll(() => Promise.all([issuer.close(), provider.close()]));

/** Every token, code and credential of the run: none of them may be in a record. */
const secrets: string[] = [];
const site = 'http://shop.localhost:3000';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

beforeAll(async () => {
  const post = async (path: string, body: object, status = 201) =>
    (await api.as('admin', 'post', `/api/v1${path}`).send(body).expect(status)).body;
  await post('/projects', { name: 'shop', url: site, members: [people.member] });
  await post('/projects/shop/service-accounts', {
    name: 'ci',
    issuer_url: issuer.url,
    claims: { aud: 'shop-ci', sub: 'repo:shop' },
  });
  const sealed = await post('/encrypt', { plaintext: clientSecret, project: 'shop' }, 200);
  const spec = { provider_name: 'Example', client_id: 'platform', issuer_url: provider.issuer };
  const extension = await post('/projects/shop/extensions', {
    name: 'login',
    type: 'oauth',
    spec: { ...spec, client_secret_encrypted: sealed.encrypted },
  });
  secrets.push(sealed.encrypted, extension.client_secret, clientSecret);
});

const recordsOf = (requestId: string) => auditOf(api).recorded({ requestId });

/** The part of a record about a token: which one and until when, but not the token itself. */
function issued(token: string, kind: string, actor: object): object {
  secrets.push(token);
  const { jti, exp, aud } = decodeJwt(token);
  const facts = { kind, expiresAt: exp, audience: aud, ...(jti === undefined ? {} : { tokenId: jti }) };
  return { action: 'token.issued', outcome: 'allowed', actor, details: facts };
}

describe('audit records of access tokens', () => {
  const exchange = (requestId: string, fields: object) =>
    request(api.publicUrl)
      .post('/api/v1/auth/token')
      .set('X-Request-Id', requestId)
      .send({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        ...fields,
      });

  it('name the controller or the service account that got one', async () => {
    for (const [claims, identity, actor] of [
      [{ aud: 'platform', sub: 'ctrl-1' }, undefined, { type: 'controller', id: controller }],
      [{ aud: 'shop-ci', sub: 'repo:shop' }, account, { type: 'service_account', id: account }],
    ] as const) {
      const requestId = randomUUID();
      const subject = await issuer.token(claims);
      secrets.push(subject);
      const { body } = await exchange(requestId, { subject_token: subject, identity }).expect(200);
      expect(await recordsOf(requestId)).toMatchObject([issued(body.access_token, 'access', actor)]);
    }
  });

  it('say that an external token did not match', async () => {
    const requestId = randomUUID();
    const subject = await issuer.token({ aud: 'shop-ci', sub: 'repo:other' });
    secrets.push(subject);
    await exchange(requestId, { subject_token: subject, identity: account }).expect(400);
    const details = { kind: 'access', error: 'invalid_grant' };
    expect(await recordsOf(requestId)).toMatchObject([
      { action: 'token.refused', outcome: 'denied', details },
    ]);
  });
});

describe('audit records of workload tokens', () => {
  const mint = (requestId: string, credential: string, body: object) =>
    request(api.publicUrl)
      .post('/api/v1/identity/token')
      .set({ ...bearer(credential), 'X-Request-Id': requestId })
      .send(body);

  it('name the deployment that got one, and say which was refused and why', async () => {
    const { body: deployment } = await api
      .as('admin', 'post', '/api/v1/projects/shop/deployments')
      .send({ environment: 'production' })
      .expect(201);
    const credential = deployment.bootstrap_credential;
    const unknown = 'x'.repeat(43);
    secrets.push(credential, unknown);
    const requestId = randomUUID();
    const { body } = await mint(requestId, credential, { audience: 'queue' }).expect(200);
    expect(await recordsOf(requestId)).toMatchObject([
      {
        ...issued(body.token, 'workload', { type: 'system', id: decodeJwt(body.token).sub }),
        project: 'shop',
      },
    ]);
    for (const [presented, audience, status, error] of [
      [unknown, 'queue', 401, 'unauthenticated'],
      // Attack: a workload asks for a token that the host of a project would take for a visitor's.
      [credential, site, 400, 'validation_failed'],
    ] as const) {
      const requestId = randomUUID();
      const refused = await mint(requestId, presented, { audience });
      expect([audience, refused.status]).toEqual([audience, status]);
      expect(await recordsOf(requestId)).toMatchObject([
        { action: 'token.refused', outcome: 'denied', details: { kind: 'workload', error } },
      ]);
    }
  });
});

describe('audit records of ingress tokens', () => {
  const visitor = () => api.session('member');
  const actor = { type: 'user', id: people.member };
  const ask = (requestId: string, path: string, headers: Record<string, string>) =>
    request(api.publicUrl)
      .get(`/api/v1/auth/ingress${path}`)
      .redirects(0)
      .set({ 'X-Request-Id': requestId, ...headers });

  it('are written for what proxies ask for', async () => {
    for (const path of ['?project=shop', '/forward/shop/orders']) {
      const requestId = randomUUID();
      const { token } = (await ask(requestId, path, bearer(visitor())).expect(200)).body;
      expect(await recordsOf(requestId)).toMatchObject([
        { ...issued(token, 'ingress', actor), project: 'shop' },
      ]);
    }
  });

  it('are written for the cookie at the end of a login', async () => {
    const page = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' };
    const away = await ask(randomUUID(), '/forward/shop/orders', page);
    const binding = away.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const start = new URL(away.headers['location'] ?? '');
    const session = { Cookie: `platform_session=${visitor()}` };
    const started = await ask(randomUUID(), `/start${start.search}`, session);
    const back = new URL(started.headers['location'] ?? '');
    secrets.push(back.searchParams.get('code') ?? '');
    const requestId = randomUUID();
    const arrived = await ask(requestId, `/forward/shop${back.pathname}${back.search}`, {
      ...page,
      Cookie: binding,
    });
    const token = /^platform_ingress=([^;]+)/.exec(arrived.headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
    expect(await recordsOf(requestId)).toMatchObject([
      { ...issued(token, 'ingress', actor), project: 'shop' },
    ]);
  });

  it('say who was refused one', async () => {
    for (const path of ['?project=shop', '/forward/shop/']) {
      const requestId = randomUUID();
      await ask(requestId, path, bearer(api.session('stranger')));
      expect(await recordsOf(requestId)).toMatchObject([
        {
          action: 'token.refused',
          outcome: 'denied',
          actor: { type: 'user', id: people.stranger },
          details: { kind: 'ingress', error: 'forbidden' },
        },
      ]);
    }
  });
});

describe('audit records of logins through the OAuth proxy', () => {
  it('are written when they start, when they are completed, and when they fail', async () => {
    const app = 'http://localhost:3456/callback';
    const verifier = 'v'.repeat(43);
    const proxy = `${api.publicUrl}/oidc/shop/login`;
    const asked = new URLSearchParams({
      redirect_uri: app,
      state: 's',
      response_type: 'code',
      client_id: 'shop-login',
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const { location } = await chooseAtDevelopmentProvider(
      new ScriptlessBrowser(),
      `${proxy}/authorize?${asked}`,
      'ann',
      (url) => url.startsWith(app),
    );
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const redeem = (requestId: string) =>
      request(api.publicUrl).post('/oidc/shop/login/token').set('X-Request-Id', requestId).type('form').send({
        grant_type: 'authorization_code',
        client_id: 'shop-login',
        redirect_uri: app,
        code,
        code_verifier: verifier,
      });
    const [completed, again] = [randomUUID(), randomUUID()];
    const { body } = await redeem(completed).expect(200);
    secrets.push(code, verifier, body.access_token, body.id_token);
    expect(await recordsOf(completed)).toMatchObject([
      {
        action: 'oauth.flow_completed',
        outcome: 'allowed',
        project: 'shop',
        details: { extension: 'login', grant: 'authorization_code' },
      },
    ]);
    // Attack: somebody who has seen the code redeems it once more.
    await redeem(again).expect(400);
    expect(await recordsOf(again)).toMatchObject([
      {
        action: 'oauth.flow_failed',
        outcome: 'denied',
        project: 'shop',
        details: { extension: 'login', step: 'token', error: 'invalid_grant' },
      },
    ]);
    const started = { action: 'oauth.flow_started' };
    expect((await api.as('operator', 'get', '/api/v1/audit').query(started)).body.items).toMatchObject([
      { ...started, outcome: 'allowed', project: 'shop', details: { extension: 'login' } },
    ]);
  });
});

it('say at which step a login through the OAuth proxy failed, and why', async () => {
  const browser = new ScriptlessBrowser();
  const proxy = `${api.publicUrl}/oidc/shop/login`;
  const asked = new URLSearchParams({ redirect_uri: 'http://localhost:3456/callback', state: 's' });
  const { location } = await browser.open(`${proxy}/authorize?${asked}`);
  const state = new URL(location ?? '').searchParams.get('state') ?? '';
  secrets.push(state);
  const denied = new URLSearchParams({ state, error: 'access_denied' });
  const back = await browser.open(`${proxy}/callback?${denied}`);
  expect(new URL(back.location ?? '').searchParams.get('error')).toBe('access_denied');
  expect(await recordsOf(back.headers.get('x-request-id') ?? '')).toMatchObject([
    {
      action: 'oauth.flow_failed',
      outcome: 'failed',
      project: 'shop',
      details: { extension: 'login', step: 'callback', error: 'access_denied' },
    },
  ]);
});

it('hold no token, code or credential of this whole run', async () => {
  const { body } = await api.as('operator', 'get', '/api/v1/audit').query({ limit: 1000 }).expect(200);
  const text = JSON.stringify(body.items);
  expect(secrets.length).toBeGreaterThan(17);
  for (const secret of secrets) expect([secret.length > 0, text.includes(secret)]).toEqual([true, false]);
  expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\./);
});
