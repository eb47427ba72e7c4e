import { existsSync } from 'node:fs';
import {
  chooseAtDevelopmentProvider,
  chromiumFlags,
  chromiumPath,
  ScriptlessBrowser,
} from '@platform/development/testing';
import { type Browser, chromium } from 'playwright-core';
import request from '../openapi/documented-request.ts';
import { apiWithProvider } from './with-provider.ts';

const api = apiWithProvider({
  auth: { operator_users: ['admin@platform.localhost', 'operator@example.dev'] },
  limits: { oauth_requests_per_minute: 200 },
});
const other = api.replica();

const start = () =>
  request(api.publicUrl)
    .post('/api/v1/auth/device/code')
    .set('User-Agent', 'laboratory "robot" <b>')
    .type('form')
    .send({ client_id: 'platform-cli', scope: 'openid email' });
const poll = (code: string, publicUrl = api.publicUrl) =>
  request(publicUrl).post('/api/v1/auth/code/exchange').send({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'platform-cli',
    device_code: code,
  });
const loginUrl = (userCode: string) => `${api.publicUrl}/api/v1/auth/device/login?user_code=${userCode}`;

/** Logs in with the code and returns the page after it. */
const logIn = (browser: ScriptlessBrowser, userCode: string) =>
  chooseAtDevelopmentProvider(browser, loginUrl(userCode), 'admin', () => false);

function answer(browser: ScriptlessBrowser, userCode: string, choice: string, origin = api.publicUrl) {
  const cookie = `platform_login=${browser.cookie('localhost', 'platform_login')}`;
  const query = new URLSearchParams({ choice, user_code: userCode });
  const url = `${api.publicUrl}/api/v1/auth/device/confirm?${query}`;
  return fetch(url, { method: 'POST', headers: { cookie, origin } });
}

/** The records of an action, once there are that many. */
async function audit(action: string, least: number): Promise<readonly Record<string, unknown>[]> {
  for (let attempt = 0; ; attempt += 1) {
    const { body } = await api.as('operator', 'get', `/api/v1/audit?action=${action}`).expect(200);
    if (body.items.length >= least || attempt > 40) return body.items;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the device authorization grant', () => {
  it('is in the metadata', async () => {
    const { body } = await request(api.publicUrl).get('/.well-known/openid-configuration').expect(200);
    expect(body.device_authorization_endpoint).toBe(`${api.publicUrl}/api/v1/auth/device/code`);
    expect(body.grant_types_supported).toContain('urn:ietf:params:oauth:grant-type:device_code');
  });

  it.each([5, ['openid'], {}, null])('refuses the scope %j, which is no text', async (scope) => {
    const { body } = await request(api.publicUrl)
      .post('/api/v1/auth/device/code')
      .send({ client_id: 'platform-cli', scope })
      .expect(400);
    expect(body.error).toBe('invalid_request');
  });

  it('gives a device a session once somebody has confirmed it, on every replica, once', async () => {
    const { body: device, headers } = await start().expect(200);
    expect(headers['cache-control']).toBe('no-store');
    const pending = await poll(device.device_code, other.publicUrl).expect(400);
    expect(pending.body.error).toBe('authorization_pending');
    expect((await poll(device.device_code).expect(400)).body.error).toBe('slow_down');
    const browser = new ScriptlessBrowser();
    const page = await logIn(browser, device.user_code);
    expect(page.status).toBe(200);
    for (const shown of ['admin@platform.localhost', 'platform-cli', '127.0.0.1', 'openid email']) {
      expect(page.text).toContain(shown);
    }
    expect(page.text).toContain(device.user_code);
    expect(page.text).not.toContain('<b>');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self'; frame-ancestors 'none'",
    );
    expect((await answer(browser, device.user_code, 'allow')).status).toBe(200);
    const polls = await Promise.all([
      poll(device.device_code),
      poll(device.device_code, other.publicUrl),
      poll(device.device_code, other.publicUrl),
    ]);
    const [session, ...refused] = polls.sort((a, b) => a.status - b.status);
    expect(refused.map(({ body }) => body.error)).toEqual(['invalid_grant', 'invalid_grant']);
    const me = await request(other.publicUrl)
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${session?.body.access_token}`)
      .expect(200);
    expect(me.body).toMatchObject({ email: 'admin@platform.localhost', operator: true });
  });

  // Attack: another site submits the form, or replays an answer.
  it('is confirmed by the page alone, once', async () => {
    const { body: device } = await start().expect(200);
    const browser = new ScriptlessBrowser();
    await logIn(browser, device.user_code);
    for (const origin of ['null', 'https://evil.example']) {
      expect((await answer(browser, device.user_code, 'allow', origin)).status).toBe(403);
    }
    const stranger = await answer(new ScriptlessBrowser(), device.user_code, 'allow');
    expect(stranger.status).toBe(400);
    expect((await poll(device.device_code).expect(400)).body.error).toBe('authorization_pending');
    expect((await answer(browser, device.user_code, 'deny')).status).toBe(200);
    expect((await answer(browser, device.user_code, 'allow')).status).toBe(400);
    expect((await poll(device.device_code).expect(400)).body.error).toBe('access_denied');
  });

  // Attack: guesses. The pages before the login say the same for every code; the one after it needs a login a guess.
  it('says only after a login whether a code exists', async () => {
    const { body: device } = await start().expect(200);
    const pages = await Promise.all(
      [device.user_code, 'BCDF-BCDF'].map(async (code) => {
        const { text } = await request(api.publicUrl).get(`/device?user_code=${code}`).expect(200);
        return text.replaceAll(code, 'CODE');
      }),
    );
    expect(pages[0]).toBe(pages[1]);
    const page = await logIn(new ScriptlessBrowser(), 'BCDF-BCDF');
    expect([page.status, page.text]).toEqual([
      400,
      expect.stringContaining('No device waits with this code'),
    ]);
  });

  it('expires after ten minutes', async () => {
    const { body: device } = await start().expect(200);
    await api.database.sql`update device_authorizations set expires_at = now() - interval '1 second'`;
    expect((await poll(device.device_code).expect(400)).body.error).toBe('expired_token');
  });

  it('stores no code, and is recorded', async () => {
    const { body: device } = await start().expect(200);
    const rows = JSON.stringify(await api.database.sql`select * from device_authorizations`);
    expect(rows).not.toContain(device.device_code);
    expect(rows).not.toContain(device.user_code.replace('-', ''));
    expect(await audit('auth.device', 5)).toEqual(
      expect.arrayContaining([expect.objectContaining({ details: { client: 'platform-cli' } })]),
    );
    const logins = await audit('auth.login', 2);
    const facts = { destination: 'device', client: 'platform-cli', address: '127.0.0.1' };
    const user = { type: 'user', id: 'admin@platform.localhost' };
    expect(logins).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ outcome: 'allowed', actor: user, details: expect.objectContaining(facts) }),
        expect.objectContaining({ outcome: 'denied', actor: user, details: expect.objectContaining(facts) }),
      ]),
    );
    // Polls that wait are no refusals.
    const refused = JSON.stringify(await audit('token.refused', 1));
    expect(refused).not.toMatch(/authorization_pending|slow_down/);
    expect(api.log).not.toContain(device.device_code);
    expect(api.log).not.toContain(device.user_code);
  });
});

// Debian's package chromium, which not every machine has.
const whereInstalled = existsSync(chromiumPath) ? describe : describe.skip;

whereInstalled('a person in Chromium (skipped where Debian’s chromium is missing)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
  }, 60_000);
  afterAll(() => browser?.close());

  it('types the code of a device, logs in and lets it in', async () => {
    const { body: device } = await start().expect(200);
    const page = await (await browser.newContext()).newPage();
    await page.goto(device.verification_uri);
    await page.getByLabel('Code').fill('nonsense');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This is not a code').waitFor();
    await page.getByLabel('Code').fill(device.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Devi Developer' }).click();
    await page.getByText(`shows the code ${device.user_code}`).waitFor();
    await page.getByRole('button', { name: 'Log in the device' }).click();
    await page.getByRole('heading', { name: 'The device is logged in' }).waitFor();
    const { body } = await poll(device.device_code).expect(200);
    expect(body).toMatchObject({ token_type: 'Bearer' });
    // Nothing logged the browser itself in.
    const cookies = await page.context().cookies(api.publicUrl);
    expect(cookies.map(({ name }) => name)).toEqual([]);
    await page.context().close();
  });
});
