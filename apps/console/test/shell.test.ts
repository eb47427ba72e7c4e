import { people, WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';

describeWhereInstalled('the console in Chromium (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  it('is one page with a fresh nonce, a strict policy and files that never change', async () => {
    const url = `${api.publicUrl}/console/r/farm.example.dev/v1/farms`;
    const [one, two] = await Promise.all([fetch(url), fetch(url)]);
    const policy = one?.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(two?.headers.get('content-security-policy')).not.toBe(policy);
    expect(one?.headers.get('cache-control')).toBe('no-store');
    const script = /src="(\/console\/assets\/[\w.-]+\.js)"/.exec(await one.text())?.[1];
    const asset = await fetch(`${api.publicUrl}${script}`, { headers: { 'Accept-Encoding': 'br' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect((await fetch(`${api.publicUrl}/console/assets/none.js`)).status).toBe(404);
    expect((await fetch(`${api.publicUrl}/console`, { method: 'POST' })).status).toBe(405);
  });

  it('offers a visitor the login, with the way back to the same page', async () => {
    const page = await console.open(null, `${tractorsPage}?labels=tier=field`, { allow: [401] });
    const link = page.getByRole('link', { name: 'Log in' });
    await link.waitFor();
    expect(
      new URL(await link.evaluate((a) => (a as unknown as { href: string }).href)).searchParams.get(
        'redirect',
      ),
    ).toBe(`/console${tractorsPage}?labels=tier%3Dfield`);
    await expectAccessible(page);
    await look(page, 'welcome');
  });

  it('says to load the page again when a replica of another version does not have its scripts', async () => {
    const page = await console.open(null, tractorsPage, { allow: [401, 404] });
    await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByText('Load the page again.').waitFor({ state: 'visible' });
    await page.unroute('**/console/assets/*.js');
    await page.reload();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    expect(await page.getByText('Load the page again.').count()).toBe(0);
  });

  it('changes the rows of a table when resources change, without a request of the user', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill`);
    await page.getByRole('link', { name: 'old-green' }).waitFor();
    await page.getByText('Live').first().waitFor();
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send(resource('Tractor', 'new-yellow', { model: 'N-1' }))
      .expect(201);
    await page.getByRole('link', { name: 'new-yellow' }).waitFor();
    await api.as('operator', 'delete', `${tractors}/acme/hill/new-yellow`).expect(200);
    await page.getByRole('link', { name: 'new-yellow' }).waitFor({ state: 'detached' });
  });

  it('opens in many tabs, since hidden ones hold no connection, and goes on when one is shown again', async () => {
    const old = `${tractorsPage}/acme/hill/old-green`;
    const first = await console.open('operator', old);
    await first.getByText('Identity').waitFor();
    // Over HTTP/1.1 a browser has six connections to an origin; tabs of headless browsers are never hidden by themselves.
    const hide = "Object.defineProperty(document, 'hidden', { get: () => window.isShown !== true });";
    let last = first;
    for (const path of [old, old, old, old, old, old, `${tractorsPage}/acme/hill`, old]) {
      last = await first.context().newPage();
      await last.addInitScript(hide);
      await last.goto(`${api.publicUrl}/console${path}`);
      await last.getByText('old-green').first().waitFor();
    }
    await last.getByText('Revision').waitFor();
    await last.evaluate("window.isShown = true; document.dispatchEvent(new Event('visibilitychange'))");
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ metadata: { labels: { shown: 'again' } } }))
      .expect(200);
    await last.getByText('shown=again').waitFor();
  });

  it('warns before the session ends, and is content after a login in another tab', async () => {
    let lifeMs = 150_000;
    const page = await console.open('operator', '', {
      before: (page) =>
        page.route('**/api/v1/auth/sessions?current=true', (route) => {
          const now = Date.now();
          const session = {
            id: '0b0e7c3e-7d0c-4b53-9d4c-5c1f8f6a2d10',
            user: 'op@example.dev',
            userAgent: 'test',
            createdAt: new Date(now).toISOString(),
            expiresAt: new Date(now + lifeMs).toISOString(),
          };
          return route.fulfill({ json: { items: [session] } });
        }),
    });
    const warning = page.getByRole('status').filter({ hasText: 'Your session ends at' });
    await warning.waitFor();
    const login = page.getByRole('link', { name: 'Log in in a new tab' });
    expect(await login.getAttribute('target')).toBe('_blank');
    await expectAccessible(page);
    await look(page, 'session-end');
    lifeMs = 8 * 3_600_000;
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await login.waitFor({ state: 'detached' });
  });

  it('keeps tables and changes when the session ends, and goes live again after a login in another tab', async () => {
    const table = await console.open('operator', `${tractorsPage}/acme/hill`, { allow: [401] });
    await table.getByText('Live', { exact: true }).waitFor();
    const value = (await table.context().cookies())[0]?.value ?? '';
    const home = await table.context().newPage();
    await home.goto(`${api.publicUrl}/console`);
    await home.getByText('Live', { exact: true }).waitFor();
    await api.as('operator', 'post', '/api/v1/auth/revoke').send({ token: value }).expect(200);
    const ended = 'Your session has ended.';
    await Promise.all([table.getByText(ended).waitFor(), home.getByText(ended).waitFor()]);
    await table.getByText('Not live: your session has ended').waitFor();
    await table.getByRole('link', { name: 'old-green' }).waitFor();
    await look(table, 'table-signed-out');
    await expectAccessible(table);

    await table
      .context()
      .addCookies([{ name: 'platform_session', value: api.session('operator'), url: api.publicUrl }]);
    // A login in a new tab ends with this page. The other tabs do not learn that they are shown again.
    const login = await table.context().newPage();
    await login.goto(`${api.publicUrl}/console`);
    await table.getByText(ended).waitFor({ state: 'detached' });
    await Promise.all([table, home].map((page) => page.getByText('Live', { exact: true }).waitFor()));
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send(resource('Tractor', 'after-login', { model: 'N-1' }))
      .expect(201);
    await Promise.all([table, home].map((page) => page.getByRole('link', { name: 'after-login' }).waitFor()));
    await api.as('operator', 'delete', `${tractors}/acme/hill/after-login`).expect(200);
  });

  it('goes live after a login, also when it was opened after the end of the session', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill`, { allow: [401] });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await page.getByText('Your session has ended.').first().waitFor();
    const value = api.session('operator');
    await page.context().addCookies([{ name: 'platform_session', value, url: api.publicUrl }]);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Your session has ended.').first().waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('belongs to the new person in every tab when somebody else logs in', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill`, { allow: [403] });
    await page.getByRole('link', { name: 'old-green' }).waitFor();
    const value = api.session('stranger');
    await page.context().addCookies([{ name: 'platform_session', value, url: api.publicUrl }]);
    const other = await page.context().newPage();
    await other.goto(`${api.publicUrl}/console`);
    await page.getByRole('button', { name: `Account of ${people.stranger}` }).waitFor();
    await page.getByText('You may not list').waitFor();
    expect(await page.getByRole('link', { name: 'old-green' }).count()).toBe(0);
  });

  it('counts ages and the end of the session by the clock of the platform', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill`, {
      before: async (page) => {
        await page.addInitScript('Date.now = ((now) => () => now() + 9 * 3_600_000)(Date.now)');
        const expiresAt = new Date(Date.now() + 8 * 3_600_000).toISOString();
        await page.route('**/api/v1/auth/sessions?current=true', (route) =>
          route.fulfill({ json: { items: [{ expiresAt }] } }),
        );
      },
    });
    const row = page.getByRole('row', { name: /old-green/ });
    await row.getByText(/^(?:now|\d min)$/).waitFor();
    expect(await page.getByRole('link', { name: 'Log in in a new tab' }).count()).toBe(0);
  });

  it('fits a long scope into a phone, whose menu Escape closes', async () => {
    const scope = 'a-very-long-name-that-goes-on-and-on-until-it-does-not-fit-any';
    const page = await console.open('operator', `?in=${scope}`, { width: 360, allow: [404] });
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Kinds' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
    expect(await menu.evaluate((one) => one === Object(one).ownerDocument.activeElement)).toBe(true);
    const ends = await page
      .getByRole('banner')
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((one) => {
          const { left, right } = Object(one).getBoundingClientRect();
          return [left, right];
        }),
      );
    for (const [index, [left, right]] of ends.entries()) {
      expect(left).toBeGreaterThanOrEqual(ends[index - 1]?.[1] ?? 0);
      expect(right).toBeLessThanOrEqual(360);
    }
    await look(page, 'shell-long-scope');
    await expectAccessible(page);
  });

  it('says when a logout fails, and finds a kind among many', async () => {
    const page = await console.open('operator', '/kinds', { allow: [503] });
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'Land with machines' }).waitFor();
    await page.getByLabel('Find a kind').fill('tr');
    await rows.filter({ hasText: 'Land with machines' }).waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'Tractor' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('tr');
    await page.route('**/api/v1/auth/logout', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' }),
      }),
    );
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page
      .getByRole('dialog', { name: 'You are still logged in' })
      .getByText('Unavailable', { exact: true })
      .waitFor();
    await expectAccessible(page);
  });

  it('says what to do when a file of the console is gone after an upgrade', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green`, {
      allow: [404],
      provokes: /preload CSS|dynamically imported module/,
    });
    await page.getByText('Identity').waitFor();
    await page.route('**/console/assets/*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.getByRole('heading', { name: 'A part of the console could not be loaded' }).waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor();
    await page.getByText('Levels below').waitFor();
  });

  it('opens the palette by keys and goes to a kind', async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('tractors');
    await expectAccessible(page);
    await look(page, 'palette');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'tractors', level: 1 }).waitFor();
  });

  it('shows a stranger who they are and what they may not do, and nothing else', async () => {
    const page = await console.open('stranger', `${tractorsPage}/acme/hill`, { allow: [403] });
    await page.getByText('You may not').first().waitFor();
    expect(await page.locator('body').textContent()).not.toContain('big-red');
    await expectAccessible(page);
    await look(page, 'forbidden');
  });
});
