import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, tractorsPage } from './farm.ts';

describeWhereInstalled('the ways through the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

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

  it('finds an organization behind those that the scope offers at once', async () => {
    const page = await console.open('operator', '/kinds', {
      before: (one) =>
        one.route(/\/organizations\?view=metadata&limit=200$/, (route) =>
          route.fulfill({ json: { items: [], metadata: { continue: 'more' } } }),
        ),
    });
    await page.getByRole('button', { name: 'Scope: Everything' }).click();
    await page.getByRole('searchbox', { name: 'Find an organization' }).fill('glob');
    await page.getByRole('menuitemradio', { name: 'globex' }).waitFor();
    await look(page, 'scope-search');
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Scope: globex' }).waitFor();
    await page.waitForURL(/in=globex/);
  });

  it('goes to pages and shows its keys by single keys, unless they are switched off', async () => {
    const page = await console.open('operator', '', { allow: [404] });
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
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('checkbox', { name: /^Keys without Ctrl/ }).uncheck();
    await page.reload();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
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
});
