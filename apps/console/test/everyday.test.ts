import { WholeApi } from '@platform/api/testing';
import type { Locator } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, makeSubscription, subscriptions, tractors, tractorsPage } from './farm.ts';

const bigRed = `${tractors}/acme/hill/big-red`;

describeWhereInstalled('everyday work in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(async () => {
    await makeFarm(api);
    await api
      .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/rolebindings')
      .send({
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'RoleBinding',
        metadata: { name: 'members' },
        spec: { roleRef: { name: 'viewer' }, subjects: [{ kind: 'User', name: 'member@example.dev' }] },
      })
      .expect(201);
  });

  it('switches off for a viewer what needs other verbs, and says which', async () => {
    const page = await console.open('member', `${tractorsPage}/acme/hill/big-red`, { allow: [403] });
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete… needs the verb delete' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^Delete…/ }).getAttribute('aria-disabled')).toBe('true');
    await expectAccessible(page);
    await look(page, 'actions-viewer');
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/big-red?tab=yaml`);
    await page.getByText('that needs the verb update').waitFor();
    await expectAccessible(page);
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill`);
    await page.getByText('You may not create tractors here').waitFor();
    expect(await page.getByRole('link', { name: 'New Tractor' }).count()).toBe(0);
  });

  it('copies names, links to a name and links to a very resource, and says when the browser refuses', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill`);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('row', { name: /big-red/ }).click();
    await page.getByRole('grid').press('y');
    await said('Copied: big-red');
    expect(await copied()).toBe('big-red');

    const base = `${api.publicUrl}/console${tractorsPage}`;
    await page.goto(`${base}/acme/hill/big-red`);
    const copy = async (action: string) => {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await copy('Copy the link to the name');
    await said('Copied: http');
    expect(await copied()).toBe(`${base}/acme/hill/big-red`);
    await copy('Copy the link to this very resource');
    await said('uid:');
    const link = await copied();
    await page.goto(link);
    await page.getByRole('heading', { name: 'big-red', level: 1 }).waitFor();

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    });
    await copy('Copy the link to the name');
    await said('Not copied');
  });

  it('finds resources of every kind in the palette', async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('old-gr');
    await page.getByRole('menuitem', { name: /old-green/ }).waitFor();
    await expectAccessible(page);
    await look(page, 'palette-resources');
    await page.getByRole('menuitem', { name: /old-green/ }).click();
    await page.getByRole('heading', { name: 'old-green', level: 1 }).waitFor();
  });

  it('goes to pages and shows its keys by single keys, unless they are switched off', async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('link', { name: 'New kind' }).waitFor();
    await page.getByRole('link', { name: 'Schema of tractors' }).waitFor();
    await expectAccessible(page);
    await look(page, 'kinds');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
    await look(page, 'keys');
    await page.keyboard.press('Escape');
    await page.evaluate("localStorage.setItem('platform-console', '{\"singleKeys\":false}')");
    await page.reload();
    await page.getByRole('heading', { name: 'Kinds', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
  });

  it('says to somebody who may not watch that the page is not live, and reads again on demand', async () => {
    const platform = '/api/v1/resources/platform.dev/v1alpha1';
    const made = async (plural: string, kind: string, name: string, spec: object) =>
      await api
        .as('operator', 'post', `${platform}/${plural}`)
        .send({ apiVersion: 'platform.dev/v1alpha1', kind, metadata: { name }, spec })
        .expect(201);
    const email = 'reader@example.dev';
    await made('roles', 'Role', 'reader', {
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }],
    });
    await made('rolebindings', 'RoleBinding', 'readers', {
      roleRef: { name: 'reader' },
      subjects: [{ kind: 'User', name: email }],
    });
    const page = await console.open(
      { uid: '0190d2f0-0000-7000-8000-0000000000aa', email },
      `${tractorsPage}/acme/hill/old-green?tab=explain`,
      { allow: [403] },
    );
    await page.getByText('Not live', { exact: true }).waitFor();
    await page.getByText('Latest changes').waitFor();
    await look(page, 'not-live');
    await expectAccessible(page);
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
      .set('Content-Type', 'application/merge-patch+json')
      .set('X-Change-Reason', 'painted')
      .send(JSON.stringify({ spec: { color: 'blue' } }))
      .expect(200);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('painted').waitFor();
  });

  it('compares any two revisions, and leads from one to its request in the audit', async () => {
    for (const horsepower of [36, 37]) {
      await api
        .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
        .set('Content-Type', 'application/merge-patch+json')
        .send(JSON.stringify({ spec: { horsepower } }))
        .expect(200);
    }
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=history`);
    await page.getByLabel('From revision').selectOption('1');
    await page.locator('.diff [data-sign="-"]', { hasText: 'horsepower: 35' }).waitFor();
    await page.locator('.diff [data-sign="+"]', { hasText: 'horsepower: 37' }).waitFor();
    expect(new URL(page.url()).searchParams.get('diff')).toMatch(/^1\.\.\d+$/);
    await look(page, 'history-compared');
    await expectAccessible(page);
    const [link] = await page.getByRole('link', { name: /^Request of revision/ }).all();
    await link?.click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.getByText('resource.').first().waitFor();
  });

  it('labels long pauses in the history', async () => {
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { horsepower: 38 } }))
      .expect(200);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=history`, {
      // Nothing makes real changes older than they are.
      before: (page) =>
        page.route(/\/history\?limit=/, async (route) => {
          const response = await route.fetch();
          const { items, metadata } = await response.json();
          const aged = items.map((entry: { time: string }, index: number) => ({
            ...entry,
            time: new Date(Date.parse(entry.time) - index * 5 * 3_600_000).toISOString(),
          }));
          await route.fulfill({ response, json: { items: aged, metadata } });
        }),
    });
    await page.getByText('No change for 5 h').first().waitFor();
    await look(page, 'history-pauses');
    await expectAccessible(page);
  });

  it('narrows the history and begins a draft with an earlier state', async () => {
    await api
      .as('operator', 'patch', bigRed)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { model: 'Wrong' } }))
      .expect(200);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=history`);
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('create');
    await page.getByRole('button', { name: 'Show the changes of revision 2' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the changes of revision 1' }).click();
    await look(page, 'history-filtered');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Use this state as draft' }).click();
    await page.locator('.cm-line', { hasText: 'model: M-120' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', bigRed).expect(200);
    expect(body.spec.model).toBe('M-120');
  });

  it('says what an address lacks, and leads on', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=nothing`, {
      allow: [404],
    });
    await page.getByText('There is no “nothing” here; this is “Overview”.').waitFor();
    await expectAccessible(page);
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/none`);
    await page.getByText('There is no such resource').waitFor();
    await page.getByRole('link', { name: 'Removed tractors' }).waitFor();
    await look(page, 'resource-missing');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All tractors here' }).click();
    await page.getByRole('link', { name: 'big-red' }).waitFor();
    await page.goto(`${api.publicUrl}/console/r/farm.example.dev/v1/ploughs`);
    await page.getByRole('main').getByRole('link', { name: 'All kinds' }).click();
    await page.getByText('Land with machines on it.').waitFor();
  });

  it('finds the latest changes behind records of logins and reads', async () => {
    const page = await console.open('operator', '/nowhere', { allow: [404] });
    await page.route('**/api/v1/audit?*', async (route) => {
      if (route.request().url().includes('continue='))
        return route.fallback({ url: `${api.publicUrl}/api/v1/audit?limit=200` });
      await route.fulfill({ json: { items: [], continue: 'more' } });
    });
    await console.go(page, '');
    await page
      .getByText(/^create by /)
      .first()
      .waitFor();
  });

  it('keeps long texts and states in sight, also on a phone', async () => {
    const label = 'x'.repeat(63);
    const finalizers = ['example.dev/hold'];
    const name = 'long-texts';
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send({
        apiVersion: 'farm.example.dev/v1',
        kind: 'Tractor',
        metadata: { name, finalizers, labels: { 'example.dev/name': label } },
        spec: { model: 'Long' },
      })
      .expect(201);
    const message = 'cannot pull the image of the plough: authentication required';
    await api
      .as('operator', 'put', `${tractors}/acme/hill/${name}/status?slot=fleet.example.dev`)
      .send({ status: { observedGeneration: 0, conditions: [{ type: 'Ready', status: 'False', message }] } })
      .expect(200);
    await api.as('operator', 'delete', `${tractors}/acme/hill/${name}`).expect(202);
    const page = await console.open('operator', `${tractorsPage}/acme/hill`, { width: 360 });
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await row.getByText('Deleting').first().waitFor();
    expect(await row.locator('.grid-row-state').isVisible()).toBe(true);
    expect((await page.getByLabel('Labels, Enter applies').boundingBox())?.width).toBeGreaterThan(300);
    await look(page, 'table-phone');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    await row.getByRole('gridcell', { name: 'Deleting' }).waitFor();
    expect(await hiddenPixels(page.getByRole('grid'))).toBe(0);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/${name}`);
    const condition = page.getByText(message);
    await condition.waitFor();
    expect((await condition.boundingBox())?.width).toBeGreaterThan(180);
    const chip = page.locator('.chip', { hasText: label });
    expect(await hiddenPixels(chip)).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await look(page, 'resource-phone');
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/${name}?tab=explain`);
    await page.getByText('example.dev/hold').first().waitFor();
    const tab = await page.getByRole('tab', { name: 'Explain' }).boundingBox();
    expect((tab?.x ?? 360) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
    await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'tractors' }).click();
    await page.getByRole('heading', { name: 'tractors', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console${tractorsPage}/acme/hill`);
  });

  it('keeps the actions of a subscription in sight, however long its address is', async () => {
    await makeSubscription(api);
    await api
      .as('operator', 'patch', `${subscriptions}/farm-hook`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { url: `https://hook.invalid/${'long/'.repeat(60)}` } }))
      .expect(200);
    const page = await console.open('operator', '/ops/subscriptions', { width: 1024 });
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    expect(await hiddenPixels(page.locator('.table-box'))).toBe(0);
    await look(page, 'subscriptions-long');
  });
});

/** How much of an element is beyond its edge. */
function hiddenPixels(element: Locator): Promise<number> {
  return element.evaluate((one) => {
    const { scrollWidth, clientWidth } = one as unknown as Record<'scrollWidth' | 'clientWidth', number>;
    return scrollWidth - clientWidth;
  });
}
