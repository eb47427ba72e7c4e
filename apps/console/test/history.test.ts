import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, tractors, tractorsPage } from './farm.ts';

const bigRed = `${tractors}/acme/hill/big-red`;

describeWhereInstalled('the history in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

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
});
