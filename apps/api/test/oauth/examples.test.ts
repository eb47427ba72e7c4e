import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromiumFlags, chromiumPath } from '@platform/development/testing';
import { readEnvironment } from '@platform/oauth-proxy';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startFixture } from './platform.ts';
import { startProvider } from './provider.ts';

// Needs Debian's package chromium, which not every machine can install.
const describeWhereInstalled = existsSync(chromiumPath) ? describe : describe.skip;

describeWhereInstalled('the example apps in Chromium (skipped where Debian’s chromium is missing)', () => {
  let fixture: Awaited<ReturnType<typeof startFixture>>;
  let browser: Browser;
  let page: Page;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    fixture = await startFixture(startProvider);
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...chromiumFlags],
    });
  }, 60_000);
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    for (const child of children) child.kill();
    await browser.close();
    await fixture.close();
  });

  /** Starts an example as `platform run` does, with the variables of the extension, and returns its address. */
  async function start(example: string): Promise<string> {
    const { platform, app } = fixture;
    const variables = readEnvironment(
      { sealer: platform.shared.sealer, publicUrl: platform.publicUrl },
      app.extension,
    );
    const script = fileURLToPath(new URL(`../../../../examples/${example}/server.js`, import.meta.url));
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', ...variables };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return line.toString().trim();
  }

  it('log in with express and openid-client', async () => {
    const origin = await start('express-openid-client');
    await page.goto(origin);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL(`${origin}/`);
    expect(await page.locator('#user').textContent()).toBe('alice@example.com');
    await page.getByRole('link', { name: 'Log out' }).click();
    await page.getByText('You are not logged in.').waitFor();
  });

  it('log in with a single-page app and oidc-client-ts, across origins', async () => {
    const origin = await start('spa-oidc-client-ts');
    await page.goto(origin);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Hello, alice@example.com!').waitFor();
    expect(page.url()).toBe(`${origin}/`);
    expect(JSON.stringify(await page.evaluate(() => ({ ...sessionStorage })))).toContain('upstream_iss');
  });

  it('show a person what went wrong, as a page without script', async () => {
    const { issuer } = fixture.app;
    const response = await page.goto(`${issuer}/callback?code=x&state=unknown`);
    expect(response?.status()).toBe(400);
    await page.getByText('No cached state found for state token').waitFor();
    expect(await page.locator('script').count()).toBe(0);
    if (process.env['SCREENSHOT'] !== undefined) await page.screenshot({ path: process.env['SCREENSHOT'] });
  });
});
