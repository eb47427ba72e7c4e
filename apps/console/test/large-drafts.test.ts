import { WholeApi } from '@platform/api/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';
import { replaceIn } from './typing.ts';

const parts = Array.from({ length: 13_000 }, (_, index) => ({ name: `part-${index}-${'x'.repeat(50)}` }));

describeWhereInstalled('drafts of nearly a megabyte (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(async () => {
    await makeFarm(api);
    const text = JSON.stringify(resource('Tractor', 'huge', { model: 'M-1', parts }));
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .set('Content-Type', 'application/json')
      .send(text)
      .expect(201);
  });

  it('stay quick while somebody types into their form', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/huge?tab=yaml&as=form`);
    const model = page.getByRole('textbox', { name: 'model', exact: true });
    await model.waitFor();
    // The first key of a field looks for its place in the text.
    await model.press('End');
    await page.keyboard.press('0');
    await page.getByText('Revision 1, changed').waitFor();
    const keys = 'abcdefghijklmnopqrst';
    expect(await longTasksWhile(page, keys)).toBeLessThan(keys.length / 2);
    expect(await model.inputValue()).toBe(`M-10${keys}`);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('region', { name: 'Difference' }).getByText(`+   model: M-10${keys}`).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Revision 2', { exact: true }).waitFor();
  }, 120_000);

  it('show the first lines of a long difference, all of them on demand, and stay quick meanwhile', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/huge?tab=history&diff=0..1`);
    const difference = page.getByRole('region', { name: 'Difference' });
    const lines = difference.locator('[data-sign]');
    await page.getByText('These are the first 1,000 lines of the difference.').waitFor();
    expect(await lines.count()).toBe(1_000);
    await look(page, 'difference-long');
    await expectAccessible(page);
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/huge?tab=yaml`);
    await replaceIn(page, 'model: M-1', 'model: M-2');
    await page.getByRole('button', { name: 'Review' }).click();
    await difference.getByText('+   model: M-2').waitFor();
    await page.getByLabel(/^Reason/).focus();
    const keys = 'painted again';
    expect(await longTasksWhile(page, keys)).toBeLessThan(keys.length / 2);
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/huge?tab=history&diff=0..1`);
    await page.getByRole('button', { name: /^Show all 13,/ }).click();
    await lines.nth(13_000).waitFor({ state: 'attached' });
  }, 120_000);
});

/** Types keys, and counts the tasks that take longer than a person notices, and than drawing a key on a busy machine. */
async function longTasksWhile(page: Page, keys: string): Promise<number> {
  await page.evaluate(`{
    window.longTasks = 0;
    new PerformanceObserver((list) => {
      window.longTasks += list.getEntries().filter(({ duration }) => duration > 250).length;
    }).observe({ type: 'longtask' });
  }`);
  for (const key of keys) await page.keyboard.press(key === ' ' ? 'Space' : key);
  return Number(await page.evaluate('window.longTasks'));
}
