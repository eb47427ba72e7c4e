import { WholeApi } from '@platform/api/testing';
import { until } from '@platform/development/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm } from './farm.ts';

const graphOf = (place: string) => `/r/${place}?tab=graph`;
const acme = graphOf('platform.dev/v1alpha1/organizations/acme');

describeWhereInstalled(
  'the graph by keys and in windows of every size (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi();
    const console = new ConsoleBrowser(api);
    beforeAll(() => makeFarm(api));

    const focused = (page: Page) => page.evaluate('document.activeElement.textContent') as Promise<string>;
    /** Whether every box is inside of the drawing. */
    const fits = (page: Page) =>
      page.evaluate(`(() => {
      const all = document.querySelector('.graph').getBoundingClientRect();
      return [...document.querySelectorAll('.graph-node')].every((node) => {
        const one = node.getBoundingClientRect();
        return one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom;
      });
    })()`) as Promise<boolean>;
    const zoom = (page: Page) =>
      page.evaluate(
        "new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a",
      ) as Promise<number>;

    it('has one stop for Tab, from which arrows follow the edges', async () => {
      const page = await console.open('operator', acme);
      const drawing = page.getByRole('region', { name: 'Drawing of the graph' });
      await drawing.getByRole('link', { name: 'big-red' }).waitFor();
      expect(await drawing.locator('a[tabindex="0"]').count()).toBe(1);
      await drawing.getByRole('link', { name: 'acme' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await focused(page)).toBe('hill');
      await page.keyboard.press('ArrowRight');
      const [first, other] =
        (await focused(page)) === 'big-red' ? ['big-red', 'old-green'] : ['old-green', 'big-red'];
      expect(await focused(page)).toBe(first);
      const [down, up] = ['ArrowDown', 'ArrowUp'];
      await page.keyboard.press(down);
      if ((await focused(page)) === first) await page.keyboard.press(up);
      expect(await focused(page)).toBe(other);
      await page.keyboard.press('ArrowLeft');
      expect(await focused(page)).toBe('hill');
      await look(page, 'graph-keys');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'hill', level: 1 }).waitFor();
    });

    it.each([360, 2560])('fits its window, and zooms by keys, at %i', async (width) => {
      const page = await console.open('operator', acme, { width });
      if (width < 768) await page.getByRole('button', { name: 'Show the drawing' }).click();
      const center = page.locator('.graph').getByRole('link', { name: 'acme' });
      await center.waitFor();
      await page.waitForFunction('document.querySelectorAll(".graph-node").length >= 4');
      await until(() => fits(page));
      await look(page, `graph-fit-${width}`);
      const before = await zoom(page);
      await center.focus();
      for (let n = 0; n < 4; n += 1) await page.keyboard.press('+');
      await until(async () => (await zoom(page)) > before * 1.5);
      await page.keyboard.press('-');
      await page.keyboard.press('0');
      await until(async () => Math.abs((await zoom(page)) - before) < 0.01 && (await fits(page)));
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  },
);
