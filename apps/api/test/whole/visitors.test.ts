import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromiumFlags, chromiumPath, freePort } from '@platform/development/testing';
import { decodeJwt } from 'jose';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { documentedNginx, type Nginx, nginxVersion, startNginx } from './nginx.ts';
import { apiWithProvider } from './with-provider.ts';

const api = apiWithProvider();

// Debian's packages nginx and chromium, which not every machine has.
const whereInstalled = nginxVersion !== null && existsSync(chromiumPath) ? describe : describe.skip;

whereInstalled('a visitor in Chromium, a private project behind nginx (skipped without the two)', () => {
  let app: Server;
  let nginx: Nginx;
  let browser: Browser;
  let context: BrowserContext;
  let site: string;
  let seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];

  beforeAll(async () => {
    app = createServer((request, response) => {
      // Browsers ask for the icon when they like, also after the test that opened the page.
      if (request.url !== '/favicon.ico') seen.push({ url: request.url ?? '', headers: request.headers });
      response.setHeader('Set-Cookie', 'theme=dark; Path=/');
      response.setHeader('Content-Type', 'text/html');
      response.end('<title>the app</title>the app');
    });
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const sitePort = await freePort();
    site = `http://shop.localhost:${sitePort}`;
    await api
      .as('admin', 'post', '/api/v1/projects')
      .send({ name: 'shop', url: site, members: ['dev@platform.localhost'] })
      .expect(201);
    const local = `127.0.0.1:${sitePort}`;
    nginx = await startNginx(
      documentedNginx({
        site: local,
        platform: new URL(api.publicUrl).port,
        app: (app.address() as AddressInfo).port,
      }),
      async () => (await fetch(`http://${local}/`)).status === 401,
    );
    browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await nginx?.stop();
    app?.close();
  });
  beforeEach(async () => {
    seen = [];
    context = await browser.newContext();
  });
  afterEach(() => context.close());

  async function logIn(path: string, name: string) {
    const page = await context.newPage();
    await page.goto(`${site}${path}`);
    await page.getByRole('button', { name }).click();
    return page;
  }

  it('logs in, and arrives at the path that was asked for; the app sees who it is, and no cookie of the platform', async () => {
    const path = '/orders?year=2026&next=%2F%2Fevil.example&q=a+b';
    const page = await logIn(path, 'Devi Developer');
    await page.waitForURL(`${site}${path}`);
    expect(await page.title()).toBe('the app');
    await page.goto(`${site}/second`);
    expect(seen.map(({ url }) => url)).toEqual([path, '/second']);
    for (const { headers } of seen) {
      expect(headers['x-forwarded-user']).toBe('dev@platform.localhost');
      const claims = decodeJwt(headers.authorization?.slice('Bearer '.length) ?? '');
      expect(claims).toMatchObject({ aud: site, project: 'shop', token_use: 'ingress' });
      expect(headers.cookie ?? '').not.toContain('platform');
    }
    expect(seen.find(({ url }) => url === '/second')?.headers.cookie).toContain('theme=dark');
    const cookies = await context.cookies(site);
    expect(cookies.find(({ name }) => name === 'platform_ingress')).toMatchObject({
      domain: 'shop.localhost',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
    expect(cookies.map(({ name }) => name)).not.toContain('platform_session');
    expect(await page.evaluate('document.cookie')).toBe('theme=dark');
  }, 60_000);

  it('is not asked again at another page or, with a session, by a link from elsewhere', async () => {
    const page = await logIn('/', 'Devi Developer');
    await page.waitForURL(`${site}/`);
    await context.clearCookies({ name: 'platform_ingress' });
    await context.clearCookies({ name: 'platform_ingress_login' });
    await page.goto(`${api.publicUrl}/api/v1/auth/ingress/start?project=shop&path=/deep?x=1%23y`);
    await page.waitForURL(`${site}/deep?x=1#y`);
    expect(await page.title()).toBe('the app');
  }, 60_000);

  it('without rights is told so on a page, and not sent to and fro', async () => {
    const page = await logIn('/orders', 'Ada Admin');
    await page.waitForURL(/\/api\/v1\/auth\/ingress\/start/);
    expect(await page.textContent('body')).toContain('You are logged in as admin@platform.localhost.');
    expect(await page.getByRole('link', { name: 'Log in as somebody else' }).isVisible()).toBe(true);
    expect(seen).toEqual([]);
  }, 60_000);

  it('who loses the right sees the page on the host of the project', async () => {
    const page = await logIn('/orders', 'Devi Developer');
    await page.waitForURL(`${site}/orders`);
    const change = (members: readonly string[]) =>
      api.as('admin', 'put', '/api/v1/projects/shop').send({ url: site, members }).expect(200);
    await change([]);
    const answer = await page.goto(`${site}/orders`);
    expect(answer?.status()).toBe(403);
    expect(await page.title()).toBe('You may not open this project');
    await change(['dev@platform.localhost']);
  }, 60_000);

  it('cannot be logged in with the code of somebody else', async () => {
    const attacker = await browser.newContext();
    await attacker.route(/\.platform\/callback\?code=/, (route) => route.abort());
    const theirs = await attacker.newPage();
    const callback = theirs.waitForRequest(/\.platform\/callback\?code=/);
    await theirs.goto(`${site}/`);
    await theirs.getByRole('button', { name: 'Devi Developer' }).click();
    const url = (await callback).url();
    const page = await context.newPage();
    const answer = await page.goto(url);
    expect(answer?.status()).toBe(400);
    expect(await page.title()).toBe('This page cannot be opened');
    expect((await context.cookies(site)).map(({ name }) => name)).not.toContain('platform_ingress');
    await attacker.close();
  }, 60_000);

  it('of a script is told 401 instead of being sent to a login', async () => {
    const page = await logIn('/', 'Devi Developer');
    await page.waitForURL(`${site}/`);
    await context.clearCookies({ name: 'platform_ingress' });
    expect(await page.evaluate('fetch("/data").then(({ status }) => status)')).toBe(401);
  }, 60_000);
});
