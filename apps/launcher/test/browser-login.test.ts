import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumFlags, chromiumPath, freePort } from '@platform/development/testing';
import { type Browser, chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Debian's package chromium, which not every machine has.
const whereInstalled = existsSync(chromiumPath) ? describe : describe.skip;

whereInstalled('the development start in Chromium (skipped where Debian’s chromium is missing)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'browser-login-'));
  let platform: ChildProcess;
  let browser: Browser;
  let publicUrl: string;

  beforeAll(async () => {
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    platform = spawn(process.execPath, ['apps/launcher/start.mjs'], {
      cwd: root,
      env: {
        ...environmentWithoutPlatform(),
        PLATFORM__SERVER__LISTEN: `127.0.0.1:${port}`,
        PLATFORM__DATABASE__DATA_DIR: directory,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await said(platform, 'The platform is running.');
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...chromiumFlags],
    });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    platform.kill('SIGTERM');
    if (platform.exitCode === null) await once(platform, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  it.each([
    { name: 'Ada Admin', email: 'admin@platform.localhost', operator: true, admin: true },
    { name: 'Devi Developer', email: 'dev@platform.localhost', operator: false, admin: false },
  ])(
    'lets a person log in as $email, offline, by choosing a name',
    async ({ name, email, operator, admin }) => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${publicUrl}/api/v1/auth/login?redirect=/api/v1/auth/me`);
      await page.getByRole('button', { name }).click();
      await page.waitForURL(`${publicUrl}/api/v1/auth/me`);
      expect(JSON.parse((await page.locator('body').textContent()) ?? '')).toMatchObject({
        type: 'user',
        email,
        operator,
        admin,
      });
      const cookies = await page.context().cookies(publicUrl);
      expect(cookies.find((cookie) => cookie.name === 'platform_session')).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
      });
      expect(await page.evaluate('document.cookie')).not.toContain('platform_session');
      await page.context().close();
    },
  );
});

/** The environment without settings of the tests' own. */
function environmentWithoutPlatform(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(PLATFORM_|NODE_ENV$|NODE_OPTIONS$)/.test(name),
  );
  return Object.fromEntries(own);
}

/** Resolves when the process has written the words; rejects when it ends before. */
function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes(words)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the platform ended with ${code}:\n${output}`)));
  });
}
