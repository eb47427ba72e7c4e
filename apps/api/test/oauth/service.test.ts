import { testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { HandmadeApp, OIDC } from './app.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import { startService } from './service.ts';
import { UPSTREAM_CLIENT } from './upstream-client.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });

describe('an extension, from its creation to a login', () => {
  let provider: ScriptedProvider;
  let service: Awaited<ReturnType<typeof startService>>;
  let spec: Record<string, unknown>;
  const extensions = '/projects/shop/extensions';

  beforeAll(async () => {
    provider = await new ScriptedProvider().start();
    service = await startService(database.url, [provider.issuer]);
    expect(
      (await service.call('POST', '/projects', { name: 'shop', owner: { user: 'dev@example.com' } })).status,
    ).toBe(201);
    const { body } = await service.call('POST', '/encrypt', { plaintext: UPSTREAM_CLIENT.secret });
    spec = {
      provider_name: 'Scripted',
      client_id: UPSTREAM_CLIENT.id,
      client_secret_encrypted: body.encrypted,
      issuer_url: provider.issuer,
    };
  });
  afterAll(() => Promise.all([service.close(), provider.stop()]));

  async function extend(name: string, changes: object = {}) {
    const answer = await service.call('POST', extensions, {
      name,
      type: 'oauth',
      spec: { ...spec, ...changes },
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    const { status, client_secret: secret } = answer.body;
    const app = {
      issuer: status.issuer,
      callbackUrl: status.callback_url,
      clientId: status.client_id,
      secret,
    };
    return { ...app, login: new HandmadeApp(app as never, provider) };
  }

  it('logs in', async () => {
    const { login, clientId } = await extend('login');
    const tokens = await login.tokens({ ...OIDC, client_id: clientId });
    expect(tokens).toMatchObject({ access_token: 'at', upstream_id_token: expect.any(String) });
    const exchange = provider.received.findLast((request) => request.path === '/token');
    expect(exchange?.form.get('client_secret')).toBe(UPSTREAM_CLIENT.secret);
  });

  it('gives the four variables to members and to nobody else', async () => {
    const { secret, issuer } = await extend('staff-login');
    const path = `${extensions}/staff-login/env`;
    expect((await service.call('GET', path, undefined, 'dev@example.com')).body).toEqual({
      STAFF_LOGIN_CLIENT_ID: 'shop-staff-login',
      STAFF_LOGIN_CLIENT_SECRET: secret,
      STAFF_LOGIN_ISSUER: issuer,
      PLATFORM_ISSUER: service.publicUrl,
    });
    expect((await service.call('GET', path, undefined, 'eve@example.com')).status).toBe(403);
  });

  it('lets two secrets in during a rotation, at once and not longer', async () => {
    const { login, secret } = await extend('rotating');
    const rotate = async () =>
      (await service.call('POST', `${extensions}/rotating/rotate-secret`)).body.client_secret as string;
    const second = await rotate();
    for (const valid of [secret, second]) {
      const { code = '' } = await login.login();
      expect((await login.token({ code, client_secret: valid })).status).toBe(200);
    }
    await rotate();
    const { code = '' } = await login.login();
    expect((await login.token({ code, client_secret: secret })).status).toBe(401);
    expect((await login.token({ code, client_secret: second })).status).toBe(200);
  });

  it('sends the secret nowhere else when somebody without it changes an endpoint', async () => {
    const { login } = await extend('guarded');
    const { client_secret_encrypted: _, ...rest } = spec;
    const changed = {
      name: 'guarded',
      type: 'oauth',
      spec: { ...rest, token_endpoint: `${provider.issuer}/evil` },
    };
    expect((await service.call('PUT', `${extensions}/guarded`, changed)).status).toBe(400);
    expect((await login.tokens())['access_token']).toBe('at');
    expect(provider.received.some((request) => request.path === '/evil')).toBe(false);
  });

  it('cannot be opened with the row of another extension', async () => {
    await extend('victim');
    const { login } = await extend('thief');
    await database.sql`update extensions set sealed_upstream_secret =
      (select sealed_upstream_secret from extensions where name = 'victim') where name = 'thief'`;
    expect(await login.login()).toMatchObject({
      error: 'server_error',
      error_description: 'The stored client secret of the provider cannot be decrypted',
    });
  });

  it.each(['http://idp.example', 'not a url', 'https://user@idp.example'])(
    'is refused with issuer_url %s',
    async (issuerUrl) => {
      const { status, body } = await service.call('POST', extensions, {
        name: 'bad',
        type: 'oauth',
        spec: { ...spec, issuer_url: issuerUrl },
      });
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ path: '/spec/issuer_url', message: 'Invalid issuer_url URL' }]);
    },
  );

  it('is examined by the doctor, for members', async () => {
    const { callbackUrl } = await extend('healthy');
    const { body } = await service.call('GET', `${extensions}/healthy/doctor`, undefined, 'dev@example.com');
    expect(body.healthy).toBe(true);
    expect(JSON.stringify(body.checks)).toContain(callbackUrl);
    await extend('sick', { issuer_url: `${provider.issuer}/other` });
    expect((await service.call('GET', `${extensions}/sick/doctor`)).body.healthy).toBe(false);
    expect(
      (await service.call('GET', `${extensions}/healthy/doctor`, undefined, 'eve@example.com')).status,
    ).toBe(403);
  });

  it('is gone at once when it is deleted, with the logins that were under way', async () => {
    const { login } = await extend('gone');
    const callbackUrl = await login.toCallback();
    await service.call('DELETE', `${extensions}/gone`);
    expect((await login.get(callbackUrl)).status).toBe(404);
    await extend('gone');
    expect((await login.get(callbackUrl)).status).toBe(400);
  });

  it('leaves nothing secret in the log, at any level', async () => {
    const { login, secret } = await extend('logged');
    const callbackUrl = await login.toCallback();
    const back = await login.get(callbackUrl);
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    await login.token({ code });
    const logged = service.lines.join('');
    expect(logged).toContain('/oidc/shop/logged/callback');
    const state = new URL(callbackUrl).searchParams.get('state') ?? '';
    for (const hidden of [code, state, secret, UPSTREAM_CLIENT.secret, 'upstream code'])
      expect(logged).not.toContain(hidden);
  });
});
