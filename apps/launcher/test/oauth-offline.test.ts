import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseAtDevelopmentProvider, freePort, ScriptlessBrowser } from '@platform/development/testing';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the OAuth proxy of the development start', () => {
  const directory = mkdtempSync(join(tmpdir(), 'oauth-offline-'));
  let platform: ChildProcess;
  let publicUrl: string;

  beforeAll(async () => {
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    const own = Object.entries(process.env).filter(([name]) => !/^(PLATFORM_|NODE_)/.test(name));
    platform = spawn(process.execPath, ['apps/launcher/start.mjs'], {
      cwd: root,
      env: {
        ...Object.fromEntries(own),
        PLATFORM__SERVER__LISTEN: `127.0.0.1:${port}`,
        PLATFORM__DATABASE__DATA_DIR: directory,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of platform.stdout ?? []) {
      output += String(chunk);
      if (output.includes('The platform is running.')) break;
    }
    expect(output).toContain('The platform is running.');
  }, 180_000);
  afterAll(async () => {
    platform.kill('SIGTERM');
    if (platform.exitCode === null) await once(platform, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  it('logs people of the development provider in to an app, without internet', async () => {
    const browser = new ScriptlessBrowser();
    const home = `${publicUrl}/api/v1/auth/me`;
    const login = `${publicUrl}/api/v1/auth/login?redirect=/api/v1/auth/me`;
    await chooseAtDevelopmentProvider(browser, login, 'admin', (at) => at === home);
    const session = browser.cookie('localhost', 'platform_session');
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${session}` };
      const answer = await fetch(publicUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return JSON.parse(await answer.text());
    };
    await post('/api/v1/projects', { name: 'shop' });
    const { encrypted } = await post('/api/v1/encrypt', { plaintext: 'development', project: 'shop' });
    const issuer = `http://127.0.0.1:${readFileSync(join(directory, 'identity-provider-port'), 'utf8').trim()}`;
    const spec = {
      provider_name: 'Development',
      client_id: 'apps',
      client_secret_encrypted: encrypted,
      issuer_url: issuer,
    };
    const made = await post('/api/v1/projects/shop/extensions', { name: 'login', type: 'oauth', spec });
    expect(made).toMatchObject({ client_secret: expect.any(String) });

    const app = 'http://localhost:3000/callback';
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'shop-login',
      redirect_uri: app,
      scope: 'openid email',
    });
    const authorize = `${publicUrl}/oidc/shop/login/authorize?${query}`;
    const back = (at: string) => at.startsWith(app);
    const { location } = await chooseAtDevelopmentProvider(new ScriptlessBrowser(), authorize, 'dev', back);
    const answer = await fetch(`${publicUrl}/oidc/shop/login/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: new URL(location ?? '').searchParams.get('code') ?? '',
        redirect_uri: app,
        client_id: 'shop-login',
        client_secret: made.client_secret,
      }),
    });
    const { id_token: idToken = '' } = (await answer.json()) as { readonly id_token?: string };
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ email: 'dev@platform.localhost', iss: `${publicUrl}/oidc/shop/login` });
  }, 60_000);

  it('is the only one that the client of apps sends people to', async () => {
    const issuer = `http://127.0.0.1:${readFileSync(join(directory, 'identity-provider-port'), 'utf8').trim()}`;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'apps',
      redirect_uri: `${publicUrl}.evil.example/oidc/shop/login/callback`,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const answer = await fetch(`${issuer}/auth?${query}`, { redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('redirect_uri')]);
  });
});
